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
 * Robust z of a value among its peers: (x - median) / (1.4826 * MAD), Iglewicz and Hoaglin 1993. Null below
 * `MIN_PEERS` peers or when more than half of them are equal (MAD 0): then a distance has no scale.
 */
export function robustZ(value: number, peers: readonly number[]): number | null {
  if (peers.length < MIN_PEERS) return null;
  const centre = median(peers);
  if (centre === null) return null;
  const mad = median(peers.map((peer) => Math.abs(peer - centre)));
  return mad === null || mad === 0 ? null : (value - centre) / (1.4826 * mad);
}
