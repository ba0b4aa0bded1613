import type { ServerResponse } from "node:http";
import { AnswerWords } from "./answer-words.ts";
import type { EngineRequest } from "./engine-request.ts";
import type { ModelRequest, Sequence } from "./sequence.ts";
import { type FinishReason, type Usage, VllmResponse } from "./vllm-response.ts";

/** One client's answer under way: turns the tokens of a sequence into the bytes of a response. */
export class Answer {
  readonly id: string;
  readonly modelRequest: ModelRequest;
  /** Virtual time the request was accepted. */
  readonly acceptedAtMs: number;
  lastTokenAtMs: number;
  isOver = false;
  /** Reset the connection after so many tokens, null for never. */
  readonly resetAfterTokens: number | null;
  readonly #response: ServerResponse;
  readonly #request: EngineRequest;
  readonly #body: VllmResponse;
  readonly #words: AnswerWords;
  readonly #reason: FinishReason;
  readonly #promptTokens: number;
  #sent = 0;

  constructor(options: {
    readonly id: string;
    readonly request: EngineRequest;
    readonly response: ServerResponse;
    readonly adapter: string | null;
    readonly outputTokens: number;
    readonly reason: FinishReason;
    readonly acceptedAtMs: number;
    readonly createdAtSeconds: number;
    readonly resetAfterTokens: number | null;
  }) {
    const words = new AnswerWords(options.request.prompt);
    this.id = options.id;
    this.acceptedAtMs = options.acceptedAtMs;
    this.lastTokenAtMs = options.acceptedAtMs;
    this.resetAfterTokens = options.resetAfterTokens;
    this.#response = options.response;
    this.#request = options.request;
    this.#body = new VllmResponse(options.request, options.id, options.createdAtSeconds);
    this.#words = words;
    this.#reason = options.reason;
    this.#promptTokens = options.request.prompt.tokens;
    this.modelRequest = {
      id: options.id,
      promptTokens: this.#promptTokens,
      outputTokens: options.outputTokens,
      blockHashes: options.request.prompt.blockHashes,
      adapter: options.adapter,
      outputBlockHash: (index) => words.blockHash(index),
    };
  }

  get isStreaming(): boolean {
    return this.#request.isStreaming;
  }

  get promptTokens(): number {
    return this.#promptTokens;
  }

  get sentTokens(): number {
    return this.#sent;
  }

  get finishReason(): FinishReason {
    return this.#reason;
  }

  /** As vLLM: the status and headers of a stream leave before its first token. */
  begin(): void {
    if (!this.isStreaming) return;
    this.#response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    this.#response.flushHeaders();
  }

  /** Sends what the sequence has produced since the last call. Returns whether the answer is complete. */
  advance(sequence: Sequence): boolean {
    const isLast = sequence.state === "finished";
    const usage: Usage = {
      promptTokens: this.#promptTokens,
      outputTokens: sequence.outputTokens,
      cachedTokens: sequence.cachedTokens,
    };
    if (this.isStreaming) {
      let text = this.#sent === 0 ? this.#body.first({ ...usage, outputTokens: 0 }) : "";
      while (this.#sent < sequence.outputTokens) {
        const isLastToken = isLast && this.#sent + 1 === sequence.outputTokens;
        const reason = isLastToken && this.#reason === "length" ? "length" : null;
        text += this.#body.token(this.#words.word(this.#sent), usage, reason);
        this.#sent += 1;
      }
      if (isLast) {
        if (this.#reason === "stop") text += this.#body.stop(usage);
        this.#response.end(text + this.#body.end(usage));
      } else this.#response.write(text);
    } else {
      this.#sent = sequence.outputTokens;
      if (isLast) this.#endWhole(usage);
    }
    return isLast;
  }

  /** Cuts the connection without a proper end. */
  reset(): void {
    const { socket } = this.#response;
    if (socket === null) this.#response.destroy();
    else socket.resetAndDestroy();
  }

  #endWhole(usage: Usage): void {
    let text = "";
    for (let i = 0; i < usage.outputTokens; i += 1) text += this.#words.word(i);
    const body = this.#body.whole(text, this.#reason, usage);
    this.#response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    this.#response.end(body);
  }
}
