import { type AnswerClass, ERROR_PREFIX_BYTES } from "@evenkeel/protocol/engines/answer-class";
import type { EngineDialect } from "@evenkeel/protocol/engines/engine";
import type { UpstreamHeaders } from "./upstream-headers.ts";

/**
 * An answer with an error status, kept back until its beginning says whose fault it is: the same status means a full
 * queue in one engine and a dead one in another.
 */
export class ErrorAnswer {
  readonly status: number;
  readonly statusMessage: string | undefined;
  readonly headers: UpstreamHeaders;
  readonly chunks: Buffer[] = [];
  #bytes = 0;

  constructor(status: number, statusMessage: string | undefined, headers: UpstreamHeaders) {
    this.status = status;
    this.statusMessage = statusMessage;
    this.headers = headers;
  }

  /** Takes a piece of the body; true when there is enough to judge by. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes >= ERROR_PREFIX_BYTES;
  }

  classify(dialect: EngineDialect): AnswerClass {
    const prefix = Buffer.concat(this.chunks).toString("utf8", 0, ERROR_PREFIX_BYTES);
    return dialect.classifyAnswer(this.status, prefix);
  }
}
