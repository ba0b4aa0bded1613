import type { AttemptOutcome } from "@evenkeel/db/decision-record";
import { type AnswerClass, classifyStreamError } from "@evenkeel/protocol/engines/answer-class";
import type { EngineDialect } from "@evenkeel/protocol/engines/engine";
import { REPLICA_HEADER } from "@evenkeel/protocol/headers/header-names";
import { responseHeadersFor } from "@evenkeel/protocol/headers/response-headers";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { ClientReply, ReplySource } from "../http/client-reply.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import { outcomeOfEarlyError, readRetryAfter } from "./attempt-failure.ts";
import type { Deadline, Deadlines } from "./deadlines.ts";
import { Discarding } from "./discarding.ts";
import { ErrorAnswer } from "./error-answer.ts";
import { ReplyObserver } from "./reply-observer.ts";
import { flatHeaders, isEventStream, type UpstreamHeaders } from "./upstream-headers.ts";

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

export interface AttemptInput {
  readonly kind: RouteKind;
  readonly replicaId: string;
  readonly dialect: EngineDialect;
  readonly reply: ClientReply;
  readonly limits: AttemptLimits;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  readonly listener: AttemptListener;
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
  #phase: "connecting" | "waiting" | "judging" | "relaying" | "over" = "connecting";
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #statusMessage: string | undefined;
  #headers: UpstreamHeaders = {};
  #errorAnswer: ErrorAnswer | null = null;
  #observer: ReplyObserver | null = null;
  #discarding: Discarding | null = null;
  #isPaused = false;

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
    if (this.#phase === "over") {
      // Given up while it waited for a connection: nothing has been sent, and nothing will be.
      controller.abort(new Error("given up before it was sent"));
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
    this.#statusMessage = statusMessage;
    this.#headers = headers;
    if (status >= 400) {
      this.#phase = "judging";
      this.#errorAnswer = new ErrorAnswer(status, statusMessage, headers);
    } else {
      this.#startRelaying();
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === "relaying") this.#relay(controller, chunk);
    else if (this.#phase === "over") this.#discarding?.take(chunk);
    else if (this.#errorAnswer?.push(chunk)) this.#judge(false);
  }

  onResponseEnd(): void {
    if (this.#phase === "judging") this.#judge(true);
    this.#discarding?.over();
    if (this.#phase !== "relaying") return;
    // HTTP calls this end clean; the stream's own protocol may know better.
    if (!this.#isError() && this.#observer?.end() === "truncated") {
      if (this.#input.reply.hasBegun) this.#breakOff("broken_stream");
      else this.#end("reset_before_first_byte");
      return;
    }
    if (!this.#input.reply.hasBegun) this.#begin();
    this.#input.reply.end();
    this.#end(this.#isError() ? "client_error" : "completed");
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#discarding?.over();
    if (this.#phase === "over") return;
    if (this.#input.reply.hasBegun) this.#breakOff("broken_stream");
    else this.#end(outcomeOfEarlyError(error, this.#phase !== "connecting"));
  }

  /** The request could not even be handed to the connection pool. */
  refuse(error: Error): void {
    this.onResponseError(null, error);
  }

  clientGone(): void {
    this.#end("client_gone");
    this.#abort("the client is gone");
  }

  clientReady(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.dueAtMs = this.#dueIn(this.#input.limits.idleMs);
    this.#controller?.resume();
  }

  expire(nowMs: number): void {
    const isTotal = nowMs >= this.#input.limits.totalAtMs;
    if (this.#isPaused && !isTotal) {
      // The replica is waiting for the client, not the other way round.
      this.#input.reply.breakOff(null);
      this.#end("client_gone");
    } else if (this.#input.reply.hasBegun) {
      this.#breakOff("idle_timeout");
    } else {
      this.#end(this.#phase === "connecting" ? "connect_failed" : "first_byte_timeout");
    }
    this.#abort("out of time");
  }

  #startRelaying(): void {
    this.#phase = "relaying";
    this.#observer = new ReplyObserver(this.#input.kind, this.#headers);
  }

  #relay(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { reply, listener, limits, clock } = this.#input;
    const observer = this.#observer;
    if (observer === null) return;
    const nowMs = clock();
    const hadToken = observer.hasToken;
    const tokens = observer.see(chunk, nowMs);
    if (!reply.hasBegun) {
      // Some engines refuse inside a 200 stream, as its first event: nothing of it has reached the client yet.
      if (observer.error !== null && tokens === 0) {
        this.#refusedInStream(classifyStreamError(observer.error));
        return;
      }
      // The first byte: from here on no other attempt can answer.
      this.#begin();
    }
    if (tokens > 0) {
      if (!hadToken) listener.firstToken(nowMs);
      listener.tokens(tokens, nowMs);
    }
    this.dueAtMs = Math.min(nowMs + limits.idleMs, limits.totalAtMs);
    if (!reply.write(chunk)) {
      this.#isPaused = true;
      controller.pause();
    }
  }

  #refusedInStream(answer: AnswerClass): void {
    this.#observer = null;
    this.#end(answer === "saturated" ? "engine_saturated" : "engine_error");
    this.#discardRest();
  }

  /** Enough of an error answer is here to know whose fault it is. */
  #judge(isComplete: boolean): void {
    const answer = this.#errorAnswer;
    if (answer === null) return;
    const retryAfterMs = readRetryAfter(answer.headers["retry-after"], this.#input.clock());
    // Whoever says when to come back, and not only that it failed, is alive.
    const isPause = retryAfterMs !== null && (answer.status === 429 || answer.status === 503);
    switch (isPause ? "saturated" : answer.classify(this.#input.dialect)) {
      case "saturated":
      case "not_serving":
        this.#end("engine_saturated", { retryAfterMs });
        break;
      case "engine_error":
        this.#end("engine_error");
        break;
      case "model_missing":
        // A longer answer than can be kept is the client's at once.
        if (isComplete) this.#end("client_error", { modelMissing: answer });
        else this.#relayError(answer);
        return;
      case "ok":
      case "client_error":
        this.#relayError(answer);
        return;
    }
    if (!isComplete) this.#discardRest();
  }

  #relayError(answer: ErrorAnswer): void {
    this.#startRelaying();
    const controller = this.#controller;
    if (controller !== null) for (const chunk of answer.chunks) this.#relay(controller, chunk);
  }

  #begin(): void {
    const set = [REPLICA_HEADER, this.#input.replicaId, ...this.#input.reply.ownHeaders];
    this.#input.reply.begin(
      this.#status ?? 502,
      this.#statusMessage,
      responseHeadersFor(flatHeaders(this.#headers), set),
    );
    if (!this.#isError()) this.#input.listener.answering(this.#input.clock());
  }

  #isError(): boolean {
    return this.#status !== null && this.#status >= 400;
  }

  #breakOff(outcome: "broken_stream" | "idle_timeout"): void {
    if (this.#phase === "over") return;
    const isReadable = isEventStream(this.#headers) && this.#headers["content-encoding"] === undefined;
    const code = outcome === "idle_timeout" ? "upstream_timeout" : "upstream_failed";
    const message =
      outcome === "idle_timeout"
        ? "The stream stopped making progress and was ended."
        : "The stream broke before its end. What came before this is incomplete.";
    this.#input.reply.breakOff(isReadable ? { code, message } : null);
    this.#end(outcome);
  }

  #end(
    outcome: AttemptOutcome,
    detail: Partial<Pick<AttemptEnd, "retryAfterMs" | "modelMissing">> = {},
  ): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#input.deadlines.remove(this);
    this.#input.reply.feedFrom(null);
    this.#settle({
      outcome,
      status: this.#status,
      retryAfterMs: null,
      modelMissing: null,
      ...detail,
      endedAtMs: this.#input.clock(),
      observation: this.#observer?.finish() ?? null,
    });
  }

  #discardRest(): void {
    if (this.#controller === null) return;
    this.#discarding = new Discarding(this.#controller, this.#input.deadlines, this.#input.clock);
  }

  #abort(reason: string): void {
    this.#controller?.abort(new Error(reason));
  }

  #dueIn(waitMs: number): number {
    return Math.min(this.#input.clock() + waitMs, this.#input.limits.totalAtMs);
  }
}
