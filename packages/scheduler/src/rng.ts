/** Uniform numbers in [0, 1). The scheduler has no randomness of its own: the caller hands it in. */
export type Rng = () => number;

/**
 * A small seeded generator (mulberry32, public domain): 32 bits of state, period 2^32.
 * @param seed any integer; equal seeds give equal sequences on every platform.
 */
export function seededRng(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
