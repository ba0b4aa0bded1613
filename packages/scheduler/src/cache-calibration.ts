const KEEP = 0.97;
/** Tokens of agreement between prediction and reply that are assumed before the first reply. */
const PRIOR_TOKENS = 4000;

/** How far a replica's replies bear out the cached tokens predicted for it: cached over predicted, at most 1. */
export class CacheCalibration {
  #cached = 0;
  #predicted = 0;

  /** @param predicted tokens matched in the prefix index. @param cached tokens the engine reported as cached. */
  observe(predicted: number, cached: number): void {
    if (!(predicted > 0) || !(cached >= 0)) return;
    this.#predicted = KEEP * this.#predicted + predicted;
    this.#cached = KEEP * this.#cached + Math.min(cached, predicted);
  }

  get factor(): number {
    return (this.#cached + PRIOR_TOKENS) / (this.#predicted + PRIOR_TOKENS);
  }
}
