import type { Socket } from "node:net";

/** Told of each request a connection has received whole. */
export interface RequestListener {
  received(request: ReceivedRequest): void;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly bodyBytes: number;
  readonly wantsStream: boolean;
}

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const STREAM_KEY = Buffer.from('"stream":');
/** Long enough for the key and its value. */
const CARRY_BYTES = 24;

/**
 * Reads HTTP/1.1 requests off a socket at the least cost: it keeps no body, it only counts its bytes and looks for
 * `"stream": true`. For bodies this benchmark sends: JSON without raw line ends.
 */
export class UpstreamConnection {
  readonly #listener: RequestListener;
  #head: Buffer | null = null;
  #method = "";
  #path = "";
  /** Bytes of the body still to come; null between requests, Infinity for a chunked one. */
  #remaining: number | null = null;
  #bodyBytes = 0;
  #wantsStream: boolean | null = null;
  #carry: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, listener: RequestListener) {
    this.#listener = listener;
    socket.on("data", (data: Buffer) => this.#read(data));
  }

  #read(data: Buffer): void {
    let rest = data;
    while (rest.length > 0) rest = this.#remaining === null ? this.#readHead(rest) : this.#readBody(rest);
  }

  #readHead(data: Buffer): Buffer {
    const bytes = this.#head === null ? data : Buffer.concat([this.#head, data]);
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = bytes;
      return bytes.subarray(bytes.length);
    }
    this.#head = null;
    const head = bytes.toString("latin1", 0, end);
    const [method = "", path = ""] = head.slice(0, head.indexOf("\r\n")).split(" ", 2);
    this.#method = method;
    this.#path = path;
    this.#bodyBytes = 0;
    this.#wantsStream = null;
    this.#carry = Buffer.alloc(0);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#remaining = isChunked ? Number.POSITIVE_INFINITY : Number(length ?? 0);
    if (this.#remaining === 0) this.#finish();
    return bytes.subarray(end + HEAD_END.length);
  }

  #readBody(data: Buffer): Buffer {
    const remaining = this.#remaining ?? 0;
    const body = data.length > remaining ? data.subarray(0, remaining) : data;
    const seen = this.#carry.length === 0 ? body : Buffer.concat([this.#carry, body]);
    if (this.#wantsStream === null) this.#look(seen);
    const isChunked = remaining === Number.POSITIVE_INFINITY;
    // While the key may still come, or a chunked end may be cut, the last bytes are looked at again.
    if (this.#wantsStream === null || isChunked) {
      this.#carry = Buffer.from(seen.subarray(Math.max(0, seen.length - CARRY_BYTES)));
    } else if (this.#carry.length > 0) {
      this.#carry = Buffer.alloc(0);
    }
    this.#bodyBytes += body.length;
    this.#remaining = remaining - body.length;
    const isOver = isChunked ? seen.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : this.#remaining === 0;
    if (isOver) this.#finish();
    return data.subarray(body.length);
  }

  #look(bytes: Buffer): void {
    const at = bytes.indexOf(STREAM_KEY);
    if (at === -1) return;
    const value = bytes.toString("latin1", at + STREAM_KEY.length, at + STREAM_KEY.length + 6).trimStart();
    if (value.length > 0) this.#wantsStream = value.startsWith("t");
  }

  #finish(): void {
    this.#remaining = null;
    this.#listener.received({
      method: this.#method,
      path: this.#path,
      bodyBytes: this.#bodyBytes,
      wantsStream: this.#wantsStream ?? false,
    });
  }
}
