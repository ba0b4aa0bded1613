/** Pauses between tries at something that is away: doubling, spread so that many routers do not return as one. */
export class RetryDelay {
  readonly #baseMs: number;
  readonly #maxMs: number;
  #nextMs: number;

  constructor(baseMs: number, maxMs: number) {
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
    this.#nextMs = baseMs;
  }

  /** The pause after one more failure, milliseconds. @param share uniform in [0, 1) */
  next(share: number): number {
    const delayMs = this.#nextMs * (0.75 + 0.5 * share);
    this.#nextMs = Math.min(this.#maxMs, this.#nextMs * 2);
    return delayMs;
  }

  reset(): void {
    this.#nextMs = this.#baseMs;
  }
}
