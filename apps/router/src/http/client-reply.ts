import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";
import { type ClientError, clientErrorBody, clientErrorEvent } from "./client-errors.ts";
import type { RouterError } from "./router-error.ts";

/** Who feeds a reply: told when the client leaves, and when it takes bytes again after a full buffer. */
export interface ReplySource {
  clientGone(): void;
  clientReady(): void;
}

/** How long a broken reply may take to reach a slow client before its connection is cut. */
const FAREWELL_MS = 5_000;

/**
 * The answer to one client. Before `begin` nothing of it is on the wire and another attempt may still answer;
 * after it, bytes are only ever added or the connection is broken.
 */
export class ClientReply {
  /** Whose error envelope the client expects. */
  kind: RouteKind = "other";
  readonly #response: ServerResponse;
  /** The headers every answer carries, flat name and value pairs. */
  readonly #ownHeaders: string[] = [];
  #source: ReplySource | null = null;
  #isGone = false;
  #isOver = false;
  #status: number | null = null;
  #hasLength = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("close", () => {
      // Also fires after a normal end: only an answer that was not finished means the client left.
      if (this.#isOver) return;
      this.#isGone = true;
      this.#source?.clientGone();
    });
  }

  /** Adds a header to whatever answer follows. */
  addHeader(name: string, value: string): void {
    this.#ownHeaders.push(name, value);
  }

  /** The live attempt; null between attempts. A client that has already left is reported at once. */
  feedFrom(source: ReplySource | null): void {
    this.#source = source;
    if (source !== null && this.#isGone) source.clientGone();
  }

  get isGone(): boolean {
    return this.#isGone;
  }
  get hasBegun(): boolean {
    return this.#status !== null;
  }
  /** Status sent to the client, null before one was. */
  get status(): number | null {
    return this.#status;
  }

  /** What every answer to this request carries, names and values in turn. */
  get ownHeaders(): readonly string[] {
    return this.#ownHeaders;
  }

  /** Sends status and headers (names and values in turn; the own ones are expected among them). */
  begin(status: number, statusMessage: string | undefined, headers: string[]): void {
    this.#status = status;
    this.#hasLength = hasContentLength(headers);
    if (statusMessage) this.#response.writeHead(status, statusMessage, headers);
    else this.#response.writeHead(status, headers);
  }

  /** Sends bytes; false when the client is slower than they come: wait for `clientReady`. */
  write(chunk: Buffer): boolean {
    if (this.#response.write(chunk)) return true;
    this.#response.once("drain", this.#onDrain);
    return false;
  }

  /** The clean end. */
  end(): void {
    this.#isOver = true;
    this.#response.end();
  }

  /** A whole answer of the router's own. Does nothing when an answer has begun or nobody is there. */
  fail(error: RouterError): void {
    if (this.hasBegun || this.#isGone) return;
    const headers = ["content-type", "application/json; charset=utf-8"];
    if (error.retryAfterMs !== null) {
      headers.push("retry-after", String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))));
    }
    this.sendJson(error.status, clientErrorBody(this.kind, error), headers);
  }

  sendJson(
    status: number,
    body: string,
    headers: string[] = ["content-type", "application/json; charset=utf-8"],
  ): void {
    headers.push("content-length", String(Buffer.byteLength(body)), ...this.#ownHeaders);
    this.begin(status, undefined, headers);
    this.#isOver = true;
    this.#response.end(body);
  }

  /**
   * Ends a begun answer so that nobody can take it for complete: an error event where one can be understood,
   * then a closed connection without the end marker.
   */
  breakOff(error: ClientError | null): void {
    this.#isOver = true;
    const socket = this.#response.socket;
    if (socket === null) return;
    // The blank line closes a half-sent event, so that the error stands alone.
    if (error !== null) this.#response.write(`\n\n${clientErrorEvent(this.kind, error)}`);
    else if (!this.#response.chunkedEncoding && !this.#hasLength) {
      // To a client without chunks an orderly close is the end of the answer: only a reset says otherwise.
      socket.resetAndDestroy();
      return;
    }
    closeAfterFlush(socket);
  }

  #onDrain = (): void => this.#source?.clientReady();
}

/** @param headers names and values in turn */
function hasContentLength(headers: readonly string[]): boolean {
  return headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === "content-length");
}

function closeAfterFlush(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), FAREWELL_MS);
  cut.unref();
  socket.once("close", () => clearTimeout(cut));
  socket.destroySoon();
}
