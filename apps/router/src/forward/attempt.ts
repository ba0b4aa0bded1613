import type { AttemptOutcome } from "@evenkeel/db/decision-record";
import { REPLICA_HEADER } from "@evenkeel/protocol/headers/header-names";
import { responseHeadersFor } from "@evenkeel/protocol/headers/response-headers";
import { errorEvent } from "@evenkeel/protocol/openai/error-body";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { ClientReply, ReplySource } from "../http/client-reply.ts";
import { judgeStatus, outcomeOfEarlyError, readRetryAfter } from "./attempt-failure.ts";
import type { Deadline, Deadlines } from "./deadlines.ts";
import { isEventStream, type ReplyObservation, ReplyObserver } from "./reply-observer.ts";

/** Limits of one attempt, milliseconds. They judge lack of progress, except `totalAtMs`, a moment. */
export interface AttemptLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** When the whole request must be over. */
  readonly totalAtMs: number;
}

/** Told of an attempt's progress as it happens. */
export interface AttemptListener {
  /** The first byte of a good answer is here. */
  answering(nowMs: number): void;
  firstToken(nowMs: number): void;
  tokens(count: number, nowMs: number): void;
}

export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  /** HTTP status the replica answered with, null when none came. */
  readonly status: number | null;
  /** The pause the replica asked for, null when it asked for none. */
  readonly retryAfterMs: number | null;
  readonly endedAtMs: number;
  /** What passed by, null when nothing was relayed. */
  readonly observation: ReplyObservation | null;
}

export interface AttemptInput {
  readonly kind: RouteKind;
  readonly replicaId: string;
  readonly reply: ClientReply;
  readonly limits: AttemptLimits;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  readonly listener: AttemptListener;
}

/** A failed answer is read to its end, within these bounds, so that its connection can be used again. */
const DISCARD_BYTES = 64 * 1024;
const DISCARD_MS = 1_000;

class AbortedByRouter extends Error {
  override readonly name = "AbortedByRouter";
}

/**
 * One attempt at one replica: undici's callbacks on one side, the client's reply on the other. Bytes go straight
 * through. `ended` settles exactly once; a failure before the first byte to the client leaves the reply
 * untouched, so another attempt may answer.
 */
export class Attempt implements Dispatcher.DispatchHandler, Deadline, ReplySource {
  readonly ended: Promise<AttemptEnd>;
  dueAtMs: number;
  readonly #input: AttemptInput;
  #settle: (end: AttemptEnd) => void = () => {};
  #phase: "connecting" | "waiting" | "relaying" | "discarding" | "over" = "connecting";
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #statusMessage: string | undefined;
  #headers: Readonly<Record<string, string | string[] | undefined>> = {};
  #observer: ReplyObserver | null = null;
  #isPaused = false;
  #discarded = 0;

  constructor(input: AttemptInput) {
    this.#input = input;
    this.dueAtMs = this.#dueIn(input.limits.connectMs);
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    input.deadlines.add(this);
    input.reply.feedFrom(this);
  }

  /** The request is on its way over a live connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection: nothing has been sent, and nothing will be.
    if (this.#phase === "over") {
      controller.abort(new AbortedByRouter("given up before it was sent"));
      return;
    }
    this.#phase = "waiting";
    this.dueAtMs = this.#dueIn(this.#input.limits.firstByteMs);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void {
    // 1xx answers are between the replica and us.
    if (this.#phase === "over" || status < 200) return;
    this.#controller = controller;
    this.#status = status;
    const verdict = judgeStatus(status);
    if (verdict !== "relay") {
      this.#end(verdict, readRetryAfter(headers["retry-after"], this.#input.clock()));
      this.#discardRest();
      return;
    }
    this.#statusMessage = statusMessage;
    this.#headers = headers;
    this.#phase = "relaying";
    this.#observer = new ReplyObserver(this.#input.kind, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const observer = this.#observer;
    if (this.#phase !== "relaying" || observer === null) {
      this.#discarded += chunk.length;
      if (this.#discarded > DISCARD_BYTES) controller.abort(new AbortedByRouter("answer not wanted"));
      return;
    }
    const nowMs = this.#input.clock();
    // The first byte: from here on no other attempt can answer.
    if (!this.#input.reply.hasBegun) this.#begin();
    const hadToken = observer.hasToken;
    const tokens = observer.see(chunk, nowMs);
    if (tokens > 0) {
      if (!hadToken) this.#input.listener.firstToken(nowMs);
      this.#input.listener.tokens(tokens, nowMs);
    }
    this.dueAtMs = Math.min(nowMs + this.#input.limits.idleMs, this.#input.limits.totalAtMs);
    if (!this.#input.reply.write(chunk)) {
      this.#isPaused = true;
      controller.pause();
    }
  }

  onResponseEnd(): void {
    if (this.#phase === "discarding") this.#finishDiscarding();
    if (this.#phase !== "relaying") return;
    if (!this.#input.reply.hasBegun) this.#begin();
    this.#input.reply.end();
    this.#end(this.#isClientError() ? "client_error" : "completed", null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#phase === "discarding") this.#finishDiscarding();
    else if (this.#input.reply.hasBegun) this.#breakOff("broken_stream");
    else this.#end(outcomeOfEarlyError(error, this.#phase !== "connecting"), null);
  }

  /** The request could not even be handed to the connection pool. */
  refuse(error: Error): void {
    this.onResponseError(NO_CONTROLLER, error);
  }

  clientGone(): void {
    this.#end("client_gone", null);
    this.#abort("the client is gone");
  }

  clientReady(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.dueAtMs = this.#dueIn(this.#input.limits.idleMs);
    this.#controller?.resume();
  }

  expire(nowMs: number): void {
    if (this.#phase === "discarding") {
      this.#finishDiscarding();
      this.#abort("answer not wanted");
      return;
    }
    const isTotal = nowMs >= this.#input.limits.totalAtMs;
    if (this.#isPaused && !isTotal) {
      // The replica is waiting for the client, not the other way round.
      this.#input.reply.breakOff(null);
      this.#end("client_gone", null);
    } else if (this.#input.reply.hasBegun) {
      this.#breakOff("idle_timeout");
    } else {
      this.#end(this.#phase === "connecting" ? "connect_failed" : "first_byte_timeout", null);
    }
    this.#abort("out of time");
  }

  #begin(): void {
    const set = [REPLICA_HEADER, this.#input.replicaId, ...this.#input.reply.ownHeaders];
    const headers = responseHeadersFor(flatHeaders(this.#headers), set);
    this.#input.reply.begin(this.#status ?? 502, this.#statusMessage, headers);
    if (!this.#isClientError()) this.#input.listener.answering(this.#input.clock());
  }

  #isClientError(): boolean {
    return this.#status !== null && this.#status >= 400 && this.#status < 500;
  }

  #breakOff(outcome: "broken_stream" | "idle_timeout"): void {
    if (this.#phase === "over") return;
    const isReadable = isEventStream(this.#headers) && this.#headers["content-encoding"] === undefined;
    const code = outcome === "idle_timeout" ? "upstream_timeout" : "upstream_failed";
    const message =
      outcome === "idle_timeout"
        ? "The stream stopped making progress and was ended."
        : "The stream broke before its end. What came before this is incomplete.";
    // The blank line closes a half-sent event, so that the error stands alone.
    this.#input.reply.breakOff(isReadable ? `\n\n${errorEvent(code, message)}` : null);
    this.#end(outcome, null);
  }

  #end(outcome: AttemptOutcome, retryAfterMs: number | null): void {
    if (this.#phase === "over" || this.#phase === "discarding") return;
    this.#phase = "over";
    this.#input.deadlines.remove(this);
    this.#input.reply.feedFrom(null);
    this.#settle({
      outcome,
      status: this.#status,
      retryAfterMs,
      endedAtMs: this.#input.clock(),
      observation: this.#observer?.finish() ?? null,
    });
  }

  /** The attempt is over for the request; its connection is not. */
  #discardRest(): void {
    this.#phase = "discarding";
    this.dueAtMs = this.#input.clock() + DISCARD_MS;
    this.#input.deadlines.add(this);
  }

  #finishDiscarding(): void {
    this.#phase = "over";
    this.#input.deadlines.remove(this);
  }

  #abort(reason: string): void {
    this.#controller?.abort(new AbortedByRouter(reason));
  }

  #dueIn(waitMs: number): number {
    return Math.min(this.#input.clock() + waitMs, this.#input.limits.totalAtMs);
  }
}

/** For failures that come before undici has made a controller. */
const NO_CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
};

/** undici's header record as names and values in turn. */
function flatHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const flat: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") flat.push(name, value);
    else if (value !== undefined) for (const one of value) flat.push(name, one);
  }
  return flat;
}
