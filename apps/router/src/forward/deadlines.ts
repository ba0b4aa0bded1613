import type { Clock } from "../clock.ts";

/** Something that must make progress before a moment. The owner moves `dueAtMs`; that costs one write. */
export interface Deadline {
  dueAtMs: number;
  /** Called once per sweep while overdue, until removed. */
  expire(nowMs: number): void;
}

/**
 * One coarse timer for all requests: a sweep over the live deadlines instead of a timer per request or chunk.
 * Limits act up to `intervalMs` late, never early.
 */
export class Deadlines {
  readonly #live = new Set<Deadline>();
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;

  constructor(clock: Clock, intervalMs = 25) {
    this.#clock = clock;
    this.#timer = setInterval(() => this.#sweep(), intervalMs);
    this.#timer.unref();
  }

  add(deadline: Deadline): void {
    this.#live.add(deadline);
  }

  remove(deadline: Deadline): void {
    this.#live.delete(deadline);
  }

  get size(): number {
    return this.#live.size;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    if (this.#live.size === 0) return;
    const nowMs = this.#clock();
    for (const deadline of this.#live) {
      if (deadline.dueAtMs <= nowMs) deadline.expire(nowMs);
    }
  }
}
