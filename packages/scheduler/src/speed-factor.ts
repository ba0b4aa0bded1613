/** How fast a factor forgets, and how much evidence its prior is worth. */
export interface FactorMemory {
  /** Predicted milliseconds of work after which evidence counts half. */
  readonly halfWorkMs: number;
  /** Milliseconds after which evidence counts half. */
  readonly halfTimeMs: number;
  /** Predicted milliseconds of work that the prior is worth. */
  readonly priorMs: number;
}

/** For a router that sees all of its replicas' load. */
export const ALONE_MEMORY: FactorMemory = { halfWorkMs: 2000, halfTimeMs: 30_000, priorMs: 200 };
/** For a router that shares its replicas with others: their load must not pass for slowness. */
export const SHARED_MEMORY: FactorMemory = { halfWorkMs: 8000, halfTimeMs: 120_000, priorMs: 2000 };

/** Observed time over predicted time is clipped at this multiple of what is believed. */
export const CLIP = 4;

/**
 * How many times slower than its shape a replica is: the ratio of two decayed sums, observed time over predicted time.
 * Batching pairs work with time wrongly in single samples, but over a busy period the sums are exact; regression over
 * the samples therefore loses badly, and this does not.
 */
export class SpeedFactor {
  memory: FactorMemory;
  #observedMs = 0;
  #predictedMs = 0;
  #updatedAtMs = 0;

  constructor(memory: FactorMemory) {
    this.memory = memory;
  }

  observe(observedMs: number, predictedMs: number, nowMs: number): void {
    if (!Number.isFinite(observedMs) || !(predictedMs > 0) || !Number.isFinite(predictedMs)) return;
    const keep =
      2 ** (-predictedMs / this.memory.halfWorkMs) *
      2 ** (-Math.max(0, nowMs - this.#updatedAtMs) / this.memory.halfTimeMs);
    this.#observedMs = keep * this.#observedMs + Math.max(0, observedMs);
    this.#predictedMs = keep * this.#predictedMs + predictedMs;
    this.#updatedAtMs = nowMs;
  }

  /** @param priorMean the factor to believe without evidence, usually the median of the segment. */
  value(nowMs: number, priorMean: number): number {
    const g = 2 ** (-Math.max(0, nowMs - this.#updatedAtMs) / this.memory.halfTimeMs);
    const prior = this.memory.priorMs;
    return (g * this.#observedMs + prior * priorMean) / (g * this.#predictedMs + prior);
  }

  /** Observed over predicted without any prior; null while there is too little evidence to compare replicas by. */
  get raw(): number | null {
    return this.#predictedMs > 200 ? this.#observedMs / this.#predictedMs : null;
  }

  get hasEvidence(): boolean {
    return this.#predictedMs > this.memory.priorMs;
  }
}
