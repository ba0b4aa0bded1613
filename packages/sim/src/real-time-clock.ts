import { EventClock } from "./event-clock.ts";

/**
 * An event clock that follows real time, `speed` virtual seconds per second. One timer serves everything planned on
 * it, so a process can run many replicas. Events keep their exact virtual times: a late timer causes no drift.
 */
export class RealTimeClock {
  readonly #clock = new EventClock();
  readonly #speed: number;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #timerDueMs = Number.POSITIVE_INFINITY;
  #isRunning = false;

  /** @param speed virtual seconds per real second, > 0 */
  constructor(speed = 1) {
    if (!(speed > 0)) throw new RangeError(`speed must be greater than 0, got ${speed}`);
    this.#speed = speed;
  }

  /** Virtual ms since the start. Inside an event: the event's exact time. */
  get nowMs(): number {
    return this.#isRunning ? this.#clock.nowMs : this.#realMs();
  }

  at(atMs: number, run: () => void): void {
    this.#clock.at(atMs, run);
    if (!this.#isRunning) this.#arm();
  }

  /** Forgets the timer; planned events never run. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerDueMs = Number.POSITIVE_INFINITY;
  }

  #realMs(): number {
    return Math.max(this.#clock.nowMs, (performance.now() - this.#startedAt) * this.#speed);
  }

  #arm(): void {
    const next = this.#clock.nextAtMs;
    if (next === null || next >= this.#timerDueMs) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerDueMs = next;
    // Timers have a resolution of 1 ms: rounding up would delay every short step by half a ms on average.
    const delayMs = Math.max(0, Math.floor((next - this.#realMs()) / this.#speed));
    this.#timer = setTimeout(() => this.#fire(), delayMs);
  }

  #fire(): void {
    this.#timer = null;
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    this.#isRunning = true;
    try {
      this.#clock.advanceTo(this.#realMs());
    } finally {
      this.#isRunning = false;
      this.#arm();
    }
  }
}
