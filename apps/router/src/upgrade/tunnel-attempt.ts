import type { Duplex } from "node:stream";
import type { AttemptOutcome } from "@evenkeel/db/decision-record";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { outcomeOfEarlyError } from "../forward/attempt-failure.ts";
import type { Deadline, Deadlines } from "../forward/deadlines.ts";
import type { UpstreamHeaders } from "../forward/upstream-headers.ts";

/** How a replica took the request to switch protocols. */
export type TunnelOpening =
  | { readonly kind: "open"; readonly socket: Duplex; readonly headers: UpstreamHeaders }
  /** It answered like to any other request. */
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: UpstreamHeaders;
      readonly body: Buffer;
    }
  | { readonly kind: "failed"; readonly outcome: AttemptOutcome };

const ANSWER_BYTES = 64 * 1024;

/** One attempt to open a tunnel through a replica; `opening` settles exactly once. */
export class TunnelAttempt implements Dispatcher.DispatchHandler, Deadline {
  readonly opening: Promise<TunnelOpening>;
  readonly dueAtMs: number;
  readonly #deadlines: Deadlines;
  #settle: (opening: TunnelOpening) => void = () => {};
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #answer: { status: number; headers: UpstreamHeaders; chunks: Buffer[]; bytes: number } | null = null;

  constructor(deadlines: Deadlines, clock: Clock, limitMs: number) {
    this.#deadlines = deadlines;
    this.dueAtMs = clock() + limitMs;
    this.opening = new Promise((resolve) => {
      this.#settle = resolve;
    });
    deadlines.add(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error("given up before it was sent"));
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _status: number,
    headers: Record<string, string | string[] | undefined>,
    socket: Duplex,
  ): void {
    if (this.#isOver) socket.destroy();
    else this.#end({ kind: "open", socket, headers });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) this.#answer = { status, headers, chunks: [], bytes: 0 };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#answer === null) return;
    this.#answer.chunks.push(chunk);
    this.#answer.bytes += chunk.length;
    if (this.#answer.bytes > ANSWER_BYTES) controller.abort(new Error("the answer is too long"));
  }

  onResponseEnd(): void {
    if (this.#answer === null) return;
    const { status, headers, chunks } = this.#answer;
    this.#end({ kind: "answered", status, headers, body: Buffer.concat(chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#end({ kind: "failed", outcome: outcomeOfEarlyError(error, this.#controller !== null) });
  }

  expire(): void {
    this.#end({ kind: "failed", outcome: "first_byte_timeout" });
    this.#controller?.abort(new Error("out of time"));
  }

  /** The client left. */
  abandon(): void {
    this.#end({ kind: "failed", outcome: "client_gone" });
    this.#controller?.abort(new Error("the client is gone"));
  }

  #end(opening: TunnelOpening): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadlines.remove(this);
    this.#settle(opening);
  }
}
