import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { clientErrorBody } from "../http/client-errors.ts";
import type { ReplySource } from "../http/client-reply.ts";
import type { RouterError } from "../http/router-error.ts";

/** A client that asks to switch protocols: a bare socket, answered by hand. */
export class UpgradeClient {
  readonly socket: Duplex;
  readonly #ownHeaders: string[] = [];
  #source: ReplySource | null = null;
  #isGone = false;
  #status: number | null = null;

  constructor(socket: Duplex) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isGone = true;
      this.#source?.clientGone();
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }
  get status(): number | null {
    return this.#status;
  }

  addHeader(name: string, value: string): void {
    this.#ownHeaders.push(name, value);
  }

  feedFrom(source: ReplySource | null): void {
    this.#source = source;
    if (source !== null && this.#isGone) source.clientGone();
  }

  /** Sends a head; what follows on the socket is the caller's. Headers are names and values in turn. */
  begin(status: number, headers: readonly string[]): void {
    this.#status = status;
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`];
    const all = [...headers, ...this.#ownHeaders];
    for (let at = 0; at + 1 < all.length; at += 2) lines.push(`${all[at]}: ${all[at + 1]}`);
    this.socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  }

  /** A whole answer in place of the switch, after which the connection ends. */
  answer(status: number, headers: readonly string[], body: Buffer): void {
    if (this.#isGone) return;
    this.begin(status, [...headers, "content-length", String(body.length), "connection", "close"]);
    this.socket.end(body);
  }

  fail(error: RouterError): void {
    const headers = ["content-type", "application/json; charset=utf-8"];
    if (error.retryAfterMs !== null)
      headers.push("retry-after", String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))));
    this.answer(error.status, headers, Buffer.from(clientErrorBody("other", error)));
  }
}
