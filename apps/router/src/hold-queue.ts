import type { Clock } from "./clock.ts";
import type { ReplySource } from "./http/client-reply.ts";

/** Who waits: a client that may leave at any moment. */
export interface WaitingClient {
  readonly isGone: boolean;
  feedFrom(source: ReplySource | null): void;
}

export interface Hold {
  /** When to decide again at the latest. */
  readonly untilMs: number;
  /** When the request's objective runs out: of several that may go on, the earliest goes first. */
  readonly deadlineMs: number;
  readonly reply: WaitingClient;
  /** Base model whose room it waits for; null when it waits for its moment only. */
  readonly waitsFor: string | null;
}

/** `due`: decide again; `gone`: the client left; `full`: no room to wait; `closed`: the router is going away. */
export type HoldVerdict = "due" | "gone" | "full" | "closed";

interface Entry extends Hold {
  readonly settle: (verdict: HoldVerdict) => void;
}

/**
 * Requests that wait in the router: for a better moment, because every replica would hurt someone now, or for a
 * replica with room. Bounded, in deadline order, and left at once with the client.
 */
export class HoldQueue {
  readonly #capacity: number;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #entries = new Set<Entry>();
  readonly #waitingFor = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(capacity: number, clock: Clock, intervalMs = 5) {
    this.#capacity = capacity;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Requests that wait for room on a model's replicas. */
  waitingFor(model: string): number {
    return this.#waitingFor.get(model) ?? 0;
  }

  wait(hold: Hold): Promise<HoldVerdict> {
    if (hold.reply.isGone) return Promise.resolve("gone");
    if (this.#isClosed) return Promise.resolve("closed");
    if (this.#entries.size >= this.#capacity) return Promise.resolve("full");
    return new Promise((resolve) => {
      const entry: Entry = {
        ...hold,
        settle: (verdict) => {
          if (!this.#entries.delete(entry)) return;
          this.#count(hold.waitsFor, -1);
          hold.reply.feedFrom(null);
          resolve(verdict);
        },
      };
      this.#entries.add(entry);
      this.#count(hold.waitsFor, 1);
      hold.reply.feedFrom({ clientGone: () => entry.settle("gone"), clientReady: () => {} });
      // The timer runs only while somebody waits.
      this.#timer ??= setInterval(() => this.#sweep(), this.#intervalMs);
    });
  }

  /** A replica of the model has room for so many more: those who must be served first decide again. */
  freed(model: string, places: number): void {
    if (this.waitingFor(model) === 0) return;
    const waiting = [...this.#entries].filter((entry) => entry.waitsFor === model);
    waiting.sort((a, b) => a.deadlineMs - b.deadlineMs);
    for (const entry of waiting.slice(0, places)) entry.settle("due");
  }

  /** Nobody waits any longer: what is decided next is final. */
  close(): void {
    this.#isClosed = true;
    for (const entry of [...this.#entries]) entry.settle("closed");
    this.#stopWhenEmpty();
  }

  #sweep(): void {
    const nowMs = this.#clock();
    const due = [...this.#entries].filter((entry) => entry.untilMs <= nowMs);
    due.sort((a, b) => a.deadlineMs - b.deadlineMs);
    for (const entry of due) entry.settle("due");
    this.#stopWhenEmpty();
  }

  #count(model: string | null, by: number): void {
    if (model === null) return;
    const waiting = this.waitingFor(model) + by;
    if (waiting === 0) this.#waitingFor.delete(model);
    else this.#waitingFor.set(model, waiting);
  }

  #stopWhenEmpty(): void {
    if (this.#entries.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
