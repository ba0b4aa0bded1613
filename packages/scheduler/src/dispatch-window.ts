import type { RecentDispatches } from "./fleet-snapshot.ts";

const SLICE_MS = 10_000;
const SLICES = 18;

/** What was dispatched in the last three minutes, in slices of ten seconds. */
export class DispatchWindow implements RecentDispatches {
  requests = 0;
  uncachedTokens = 0;
  readonly #requests = new Float64Array(SLICES);
  readonly #tokens = new Float64Array(SLICES);
  /** Number of the newest slice. */
  #slice = 0;

  add(uncachedTokens: number, nowMs: number): void {
    this.#advance(nowMs);
    const at = this.#slice % SLICES;
    this.#requests[at] = (this.#requests[at] ?? 0) + 1;
    this.#tokens[at] = (this.#tokens[at] ?? 0) + uncachedTokens;
    this.requests++;
    this.uncachedTokens += uncachedTokens;
  }

  at(nowMs: number): RecentDispatches {
    this.#advance(nowMs);
    return this;
  }

  #advance(nowMs: number): void {
    const slice = Math.floor(nowMs / SLICE_MS);
    if (!(slice > this.#slice)) return;
    const steps = Math.min(SLICES, slice - this.#slice);
    for (let i = 1; i <= steps; i++) {
      const at = (slice - steps + i) % SLICES;
      this.requests -= this.#requests[at] ?? 0;
      this.uncachedTokens -= this.#tokens[at] ?? 0;
      this.#requests[at] = 0;
      this.#tokens[at] = 0;
    }
    if (this.requests === 0) this.uncachedTokens = 0;
    this.#slice = slice;
  }
}
