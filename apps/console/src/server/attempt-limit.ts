interface Attempts {
  count: number;
  readonly startedAtMs: number;
}

/** Counts failures per key in a window. Bounded: the oldest key is forgotten when there are too many. */
export class AttemptLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #maxKeys: number;
  readonly #attempts = new Map<string, Attempts>();

  constructor(options: { readonly max: number; readonly windowMs: number; readonly maxKeys: number }) {
    this.#max = options.max;
    this.#windowMs = options.windowMs;
    this.#maxKeys = options.maxKeys;
  }

  /** Milliseconds until `key` may try again, 0 when it may now. */
  waitMs(key: string, nowMs: number): number {
    const attempts = this.#attempts.get(key);
    if (attempts === undefined || attempts.count < this.#max) return 0;
    return Math.max(0, attempts.startedAtMs + this.#windowMs - nowMs);
  }

  failed(key: string, nowMs: number): void {
    const attempts = this.#attempts.get(key);
    if (attempts !== undefined && nowMs - attempts.startedAtMs < this.#windowMs) {
      attempts.count += 1;
      return;
    }
    this.#attempts.delete(key);
    this.#attempts.set(key, { count: 1, startedAtMs: nowMs });
    const oldest = this.#attempts.keys().next();
    if (this.#attempts.size > this.#maxKeys && !oldest.done) this.#attempts.delete(oldest.value);
  }

  succeeded(key: string): void {
    this.#attempts.delete(key);
  }
}
