import { connect, type Socket } from "node:net";
import { readStamp, STAMP_MARK } from "./upstream-pages.ts";

/** What came of one request. */
export interface Exchange {
  /** When the first byte of the body came, and the last; null when it did not. Milliseconds of performance.now(). */
  firstByteAtMs: number | null;
  endedAtMs: number | null;
  status: number | null;
  /** Milliseconds each stamped event took from the upstream's write to our read. */
  readonly eventMs: number[];
  events: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
/** How a chunked answer of the upstream ends; its events hold no CR. */
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const MARK = Buffer.from(STAMP_MARK);

/** One keep-alive connection that carries one request at a time. */
export class ClientConnection {
  readonly #socket: Socket;
  readonly #onFree: (connection: ClientConnection) => void;
  #exchange: Exchange | null = null;
  #settle: (() => void) | null = null;
  #head: Buffer | null = null;
  /** Bytes of the body to come; null before the head was read, Infinity for a chunked body. */
  #remaining: number | null = null;
  #tail: Buffer = Buffer.alloc(0);
  isClosed = false;

  constructor(port: number, onFree: (connection: ClientConnection) => void) {
    this.#onFree = onFree;
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (data: Buffer) => this.#read(data));
    this.#socket.on("error", () => this.#close());
    this.#socket.on("close", () => this.#close());
  }

  /** Sends a whole request; `done` is called when its answer has ended or can no longer come. */
  send(request: Buffer, done: () => void): Exchange {
    const exchange: Exchange = { firstByteAtMs: null, endedAtMs: null, status: null, eventMs: [], events: 0 };
    this.#exchange = exchange;
    this.#settle = done;
    this.#head = null;
    this.#remaining = null;
    this.#tail = Buffer.alloc(0);
    if (this.isClosed) setImmediate(() => this.#finish());
    else this.#socket.write(request);
    return exchange;
  }

  destroy(): void {
    this.#socket.destroy();
    this.#close();
  }

  #read(data: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    let body = data;
    if (this.#remaining === null) {
      const bytes = this.#head === null ? data : Buffer.concat([this.#head, data]);
      const end = bytes.indexOf(HEAD_END);
      if (end === -1) {
        this.#head = bytes;
        return;
      }
      const head = bytes.toString("latin1", 0, end);
      exchange.status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      this.#remaining = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      body = bytes.subarray(end + HEAD_END.length);
      if (body.length === 0 && this.#remaining > 0) return;
    }
    const nowMs = performance.now();
    exchange.firstByteAtMs ??= nowMs;
    if (this.#remaining !== Number.POSITIVE_INFINITY) {
      this.#remaining -= body.length;
      if (this.#remaining <= 0) this.#end(exchange, nowMs);
      return;
    }
    for (let at = body.indexOf(MARK); at !== -1; at = body.indexOf(MARK, at + 1)) {
      exchange.events++;
      const stampMs = readStamp(body, at);
      if (stampMs > 0) exchange.eventMs.push(nowMs - stampMs);
    }
    const last = body.length >= LAST_CHUNK.length ? body : Buffer.concat([this.#tail, body]);
    if (last.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) this.#end(exchange, nowMs);
    else this.#tail = Buffer.from(last.subarray(-LAST_CHUNK.length));
  }

  #end(exchange: Exchange, nowMs: number): void {
    exchange.endedAtMs = nowMs;
    this.#finish();
  }

  #finish(): void {
    const settle = this.#settle;
    this.#exchange = null;
    this.#settle = null;
    if (!this.isClosed) this.#onFree(this);
    settle?.();
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#finish();
  }
}
