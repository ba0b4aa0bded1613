/** Milliseconds since the epoch, with fractions, never running backwards: durations taken from it are never negative. */
export type Clock = () => number;

/**
 * The machine's clock without its jumps back: a step back of the wall clock is waited out, a step forward
 * (a suspended machine, a late time sync) is followed at once.
 */
export function systemClock(): Clock {
  let offsetMs = performance.timeOrigin;
  let anchoredAtMs = 0;
  return () => {
    const monotonicMs = performance.now();
    if (monotonicMs - anchoredAtMs > 1_000) {
      anchoredAtMs = monotonicMs;
      const aheadMs = Date.now() - (monotonicMs + offsetMs);
      if (aheadMs > 100) offsetMs += aheadMs;
    }
    return monotonicMs + offsetMs;
  };
}
