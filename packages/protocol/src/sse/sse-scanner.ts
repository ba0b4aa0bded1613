const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const BOM = [0xef, 0xbb, 0xbf];
const DATA = [0x64, 0x61, 0x74, 0x61];
const EVENT = [0x65, 0x76, 0x65, 0x6e, 0x74];

/** Longest event kept; a longer one is skipped and counted, so a hostile stream costs bounded memory. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

/**
 * Receives one event. `bytes[start..end)` is its data, several `data:` lines joined by LF. The bytes belong to the
 * scanner or to the chunk: read them now, keep nothing. `type` is the `event:` field, "" when there is none.
 */
export type SseEventHandler = (bytes: Uint8Array, start: number, end: number, type: string) => void;

/**
 * Splits a server-sent event stream into events, by the WHATWG rules, from chunks cut anywhere: LF, CR and CRLF line
 * ends, comments, several data lines, a leading byte order mark. Bytes are read where they lie; only an event cut
 * by a chunk border or spread over several lines is copied.
 */
export class SseScanner {
  private readonly onEvent: SseEventHandler;
  private readonly onStray: SseEventHandler | null;
  /** Bytes of a line that its chunk did not finish. */
  private partial = new ByteBuffer();
  /** Data lines of an event so far, when there is more than one or the chunk that held it is gone. */
  private data = new ByteBuffer();
  private hasData = false;
  private type = "";
  private lastWasCr = false;
  private isAtStart = true;
  /** Where the only data line so far lies in the current chunk; -1 when it is in `data`. */
  private dataStart = -1;
  private dataEnd = -1;
  /** Events dropped for their size. */
  oversized = 0;
  private isOversized = false;

  /**
   * @param onStray receives lines that are no field but bare JSON objects: engines that fail inside a stream have been
   * seen to write their error body without the framing
   */
  constructor(onEvent: SseEventHandler, onStray: SseEventHandler | null = null) {
    this.onEvent = onEvent;
    this.onStray = onStray;
  }

  /** Reads one chunk; calls the handler for every event it completes. */
  push(chunk: Uint8Array): void {
    // JSON data holds no raw CR, so one look per chunk spares looking for it in every line.
    const hasCr = this.lastWasCr || chunk.indexOf(CR) !== -1;
    let at = 0;
    while (at < chunk.length) {
      if (this.lastWasCr) {
        this.lastWasCr = false;
        if (chunk[at] === LF) {
          at += 1;
          continue;
        }
      }
      const end = hasCr ? lineEnd(chunk, at) : chunk.indexOf(LF, at);
      if (end === -1) {
        this.keepPartial(chunk, at, chunk.length);
        break;
      }
      if (this.partial.length > 0) {
        this.keepPartial(chunk, at, end);
        this.line(this.partial.bytes, 0, this.partial.length, false);
        this.partial.clear();
      } else {
        this.line(chunk, at, end, true);
      }
      this.lastWasCr = chunk[end] === CR;
      at = end + 1;
    }
    this.keepData(chunk);
  }

  /**
   * Ends the stream. An event without its closing blank line is still handed over: several servers leave the line
   * out after `[DONE]`, and whoever reads the data can tell a cut one by its broken JSON.
   */
  end(): void {
    if (this.partial.length > 0) {
      this.line(this.partial.bytes, 0, this.partial.length, false);
      this.partial.clear();
    }
    this.dispatch(this.data.bytes);
  }

  private line(bytes: Uint8Array, from: number, end: number, isInChunk: boolean): void {
    let start = from;
    if (this.isAtStart) {
      this.isAtStart = false;
      if (startsWith(bytes, start, end, BOM)) {
        start += BOM.length;
      }
    }
    if (start === end) {
      this.dispatch(bytes);
      return;
    }
    if (startsWith(bytes, start, end, DATA)) {
      const value = valueStart(bytes, start + DATA.length, end);
      if (value !== -1) {
        this.dataLine(bytes, value, end, isInChunk);
      }
    } else if (startsWith(bytes, start, end, EVENT)) {
      const value = valueStart(bytes, start + EVENT.length, end);
      if (value !== -1) {
        this.type = asText(bytes, value, end);
      }
    } else if (bytes[start] === OPEN_BRACE) {
      this.onStray?.(bytes, start, end, "");
    }
  }

  private dataLine(bytes: Uint8Array, start: number, end: number, isInChunk: boolean): void {
    if (!this.hasData && isInChunk) {
      this.dataStart = start;
      this.dataEnd = end;
    } else {
      this.keepData(bytes);
      if (this.hasData) {
        this.data.appendByte(LF);
      }
      this.appendData(bytes, start, end);
    }
    this.hasData = true;
  }

  /** `bytes` must be the chunk when the data lies in it. */
  private dispatch(bytes: Uint8Array): void {
    if (this.hasData) {
      if (this.isOversized) {
        this.oversized += 1;
      } else if (this.dataStart !== -1) {
        this.onEvent(bytes, this.dataStart, this.dataEnd, this.type);
      } else {
        this.onEvent(this.data.bytes, 0, this.data.length, this.type);
      }
    }
    this.hasData = false;
    this.isOversized = false;
    this.dataStart = -1;
    this.type = "";
    this.data.clear();
  }

  /** Copies a data line out of the chunk that is about to go. */
  private keepData(chunk: Uint8Array): void {
    if (this.dataStart !== -1) {
      this.appendData(chunk, this.dataStart, this.dataEnd);
      this.dataStart = -1;
    }
  }

  private appendData(bytes: Uint8Array, start: number, end: number): void {
    if (this.data.length + end - start > MAX_EVENT_BYTES) {
      this.isOversized = true;
      this.data.clear();
    }
    if (!this.isOversized) {
      this.data.append(bytes, start, end);
    }
  }

  private keepPartial(chunk: Uint8Array, start: number, end: number): void {
    if (this.partial.length + end - start > MAX_EVENT_BYTES) {
      // Its beginning stays, so that the line is still known as data and the event as oversized.
      this.isOversized = true;
      return;
    }
    this.partial.append(chunk, start, end);
  }
}

/** A growing byte array that keeps its memory between events. */
class ByteBuffer {
  bytes = new Uint8Array(0);
  length = 0;

  append(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    this.bytes.set(from.subarray(start, end), this.length);
    this.length += end - start;
  }

  appendByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  private reserve(more: number): void {
    if (this.length + more > this.bytes.length) {
      const grown = new Uint8Array(Math.max(512, (this.length + more) * 2));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
  }
}

function lineEnd(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    if (chunk[at] === LF || chunk[at] === CR) {
      return at;
    }
  }
  return -1;
}

function startsWith(bytes: Uint8Array, start: number, end: number, prefix: readonly number[]): boolean {
  if (end - start < prefix.length) {
    return false;
  }
  for (let i = 0; i < prefix.length; i++) {
    if (bytes[start + i] !== prefix[i]) {
      return false;
    }
  }
  return true;
}

/** Where a field's value starts, given the end of its name; -1 when the name goes on (`database:`). */
function valueStart(bytes: Uint8Array, nameEnd: number, end: number): number {
  if (nameEnd === end) {
    return end;
  }
  if (bytes[nameEnd] !== COLON) {
    return -1;
  }
  return nameEnd + 1 < end && bytes[nameEnd + 1] === SPACE ? nameEnd + 2 : nameEnd + 1;
}

/** Event names are ASCII in every dialect. */
function asText(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end && at - start < 128; at++) {
    text += String.fromCharCode(bytes[at] ?? 0);
  }
  return text;
}
