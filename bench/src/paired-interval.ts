/** Two-sided 95 % quantiles of Student's t by degrees of freedom 1..30. */
const T_95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;

/** A mean with its 95 % confidence interval; without an interval when there is one value only. */
export interface Interval {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Student's interval of the mean. Null for an empty sample. */
export function meanInterval(values: readonly number[]): Interval | null {
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return { mean, low: null, high: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const half = (T_95[values.length - 2] ?? 1.96) * Math.sqrt(variance / values.length);
  return { mean, low: mean - half, high: mean + half };
}

/**
 * Interval of the ratio of paired values, taken on logarithms: equal seeds meet equal arrivals, so what they share
 * cancels. Pairs with a value that is not positive are left out.
 */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): Interval | null {
  const logs: number[] = [];
  for (const [index, value] of ours.entries()) {
    const other = theirs[index];
    if (other !== undefined && value > 0 && other > 0) logs.push(Math.log(value / other));
  }
  const interval = meanInterval(logs);
  if (interval === null) return null;
  return {
    mean: Math.exp(interval.mean),
    low: interval.low === null ? null : Math.exp(interval.low),
    high: interval.high === null ? null : Math.exp(interval.high),
  };
}
