import type { DecisionRecord } from "@evenkeel/db/decision-record";

/**
 * Records on their way to the store. `append` is synchronous and can neither fail nor delay a request: a full
 * log drops the new record and counts it.
 */
export class DecisionLog {
  readonly #capacity: number;
  #pending: DecisionRecord[] = [];
  #appended = 0;
  #dropped = 0;
  /** Called when a batch is ready to be written; set by the writer. */
  #onBatch: (() => void) | null = null;
  #batchSize = Number.POSITIVE_INFINITY;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(record: DecisionRecord): void {
    if (this.#pending.length >= this.#capacity) {
      this.#dropped++;
      return;
    }
    this.#appended++;
    this.#pending.push(record);
    if (this.#pending.length === this.#batchSize) this.#onBatch?.();
  }

  /** Calls back each time `batchSize` records have gathered. */
  notifyEvery(batchSize: number, onBatch: () => void): void {
    this.#batchSize = batchSize;
    this.#onBatch = onBatch;
  }

  /** Takes up to `limit` of the oldest records out of the log. */
  take(limit: number): DecisionRecord[] {
    if (this.#pending.length <= limit) {
      const all = this.#pending;
      this.#pending = [];
      return all;
    }
    return this.#pending.splice(0, limit);
  }

  get pending(): number {
    return this.#pending.length;
  }
  get appended(): number {
    return this.#appended;
  }
  get dropped(): number {
    return this.#dropped;
  }
}
