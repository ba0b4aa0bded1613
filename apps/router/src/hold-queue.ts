import type { Clock } from "./clock.ts";
import type { ClientReply } from "./http/client-reply.ts";

export interface Hold {
  /** When to decide again. */
  readonly untilMs: number;
  /** When the request's objective runs out: of several due at once, the earliest goes first. */
  readonly deadlineMs: number;
  readonly reply: ClientReply;
}

/** `due`: decide again; `gone`: the client left; `full`: no room; `closed`: the router is going away. */
export type HoldVerdict = "due" | "gone" | "full" | "closed";

interface Entry extends Hold {
  readonly settle: (verdict: HoldVerdict) => void;
}

/** Requests kept in the router because every replica would hurt someone now. Bounded; leaves with the client. */
export class HoldQueue {
  readonly #capacity: number;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | null = null;

  constructor(capacity: number, clock: Clock, intervalMs = 5) {
    this.#capacity = capacity;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  wait(hold: Hold): Promise<HoldVerdict> {
    if (hold.reply.isGone) return Promise.resolve("gone");
    if (this.#entries.size >= this.#capacity) return Promise.resolve("full");
    return new Promise((resolve) => {
      const entry: Entry = {
        ...hold,
        settle: (verdict) => {
          if (!this.#entries.delete(entry)) return;
          hold.reply.feedFrom(null);
          resolve(verdict);
        },
      };
      this.#entries.add(entry);
      hold.reply.feedFrom({ clientGone: () => entry.settle("gone"), clientReady: () => {} });
      // The timer runs only while somebody waits.
      this.#timer ??= setInterval(() => this.#sweep(), this.#intervalMs);
    });
  }

  /** Lets everybody go on: what is decided next is final. */
  close(): void {
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

  #stopWhenEmpty(): void {
    if (this.#entries.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
