import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { Deadline, Deadlines } from "./deadlines.ts";

/** Within these bounds an unwanted answer is read to its end, so that its connection can be used again. */
const DISCARD_BYTES = 64 * 1024;
const DISCARD_MS = 1_000;

/** The rest of an answer that nobody wants any more: the request has moved on, the connection has not. */
export class Discarding implements Deadline {
  readonly dueAtMs: number;
  readonly #controller: Dispatcher.DispatchController;
  readonly #deadlines: Deadlines;
  #bytes = 0;

  constructor(controller: Dispatcher.DispatchController, deadlines: Deadlines, clock: Clock) {
    this.#controller = controller;
    this.#deadlines = deadlines;
    this.dueAtMs = clock() + DISCARD_MS;
    deadlines.add(this);
  }

  take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > DISCARD_BYTES) this.expire();
  }

  /** The answer has ended. */
  over(): void {
    this.#deadlines.remove(this);
  }

  expire(): void {
    this.over();
    this.#controller.abort(new Error("the answer is not wanted"));
  }
}
