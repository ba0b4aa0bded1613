/** Median of the values, null when there are none. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Fewest peers from which a robust z is worth showing. */
export const MIN_PEERS = 4;

/**
 * How far values usually lie from their median: 1.4826 * MAD, which equals the standard deviation where values are
 * normal (Iglewicz and Hoaglin 1993). Null below `MIN_PEERS` values or when more than half of them are equal: then a
 * distance has no scale.
 */
export function robustScale(values: readonly number[]): number | null {
  if (values.length < MIN_PEERS) return null;
  const centre = median(values);
  if (centre === null) return null;
  const mad = median(values.map((value) => Math.abs(value - centre)));
  return mad === null || mad === 0 ? null : 1.4826 * mad;
}

/** Robust z of a value among its peers; null when the peers have no scale. */
export function robustZ(value: number, peers: readonly number[]): number | null {
  const centre = median(peers);
  const scale = robustScale(peers);
  return centre === null || scale === null ? null : (value - centre) / scale;
}
