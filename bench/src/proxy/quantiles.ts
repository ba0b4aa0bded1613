export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Nearest-rank quantiles; NaN of nothing. */
export function quantiles(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** What `one` has more than `other`, quantile by quantile. */
export function difference(one: Quantiles, other: Quantiles): Quantiles {
  return { p50: one.p50 - other.p50, p95: one.p95 - other.p95, p99: one.p99 - other.p99 };
}

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}
