interface Attempts {
  count: number;
  readonly startedAtMs: number;
}

export type Reservation =
  /** The attempt is counted; `release` takes it back when it turns out not to have failed. */
  | { readonly kind: "counted"; readonly release: () => void }
  /** Too many: `waitMs` until the next try. */
  | { readonly kind: "wait"; readonly waitMs: number };

/** Counts attempts per key in a window. Bounded: the oldest key is forgotten when there are too many. */
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

  /** Counts an attempt before its outcome is known, so that attempts under way count against each other. */
  reserve(key: string, nowMs: number): Reservation {
    const attempts = this.#window(key, nowMs);
    if (attempts.count >= this.#max) {
      return { kind: "wait", waitMs: attempts.startedAtMs + this.#windowMs - nowMs };
    }
    attempts.count += 1;
    let isHeld = true;
    const release = () => {
      if (isHeld) attempts.count -= 1;
      isHeld = false;
    };
    return { kind: "counted", release };
  }

  /** Forgets what was counted for `key`. */
  succeeded(key: string): void {
    this.#attempts.delete(key);
  }

  #window(key: string, nowMs: number): Attempts {
    const known = this.#attempts.get(key);
    if (known !== undefined && nowMs - known.startedAtMs < this.#windowMs) return known;
    const fresh = { count: 0, startedAtMs: nowMs };
    this.#attempts.delete(key);
    this.#attempts.set(key, fresh);
    const oldest = this.#attempts.keys().next();
    if (this.#attempts.size > this.#maxKeys && !oldest.done) this.#attempts.delete(oldest.value);
    return fresh;
  }
}
