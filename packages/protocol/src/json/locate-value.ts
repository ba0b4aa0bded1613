import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";

/** A half-open range of bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A member of an object: the bytes of key, colon and value. */
export interface MemberRange extends ByteRange {
  readonly key: string;
  readonly valueStart: number;
}

/**
 * Finds the bytes of the value under a top-level key of a JSON object; null when there is no such key. The bytes need
 * not be valid JSON for it to return, but then what it returns is a guess. Of duplicate keys the last is returned, the one JSON.parse keeps. A key written with
 * escapes (`"mod\u0065l"`) is recognised.
 */
export function locateValue(bytes: Uint8Array, key: string): ByteRange | null {
  let found: ByteRange | null = null;
  walkMembers(bytes, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (isKey(bytes, keyStart, keyEnd, key)) {
      found = { start: valueStart, end: valueEnd };
    }
  });
  return found;
}

/** The top-level members of a JSON object that is already known to be valid, in their order. */
export function memberRanges(bytes: Uint8Array): readonly MemberRange[] {
  const members: MemberRange[] = [];
  walkMembers(bytes, (start, keyEnd, valueStart, end) => {
    members.push({ key: readKey(bytes, start, keyEnd), start, end, valueStart });
  });
  return members;
}

type MemberVisitor = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

function walkMembers(bytes: Uint8Array, visit: MemberVisitor): void {
  let at = bytes.indexOf(OPEN_BRACE) + 1;
  while (at > 0 && at < bytes.length) {
    const keyStart = bytes.indexOf(QUOTE, at);
    if (keyStart === -1) {
      return;
    }
    const keyEnd = endOfString(bytes, keyStart);
    const valueStart = skipBlanks(bytes, skipBlanks(bytes, keyEnd) + 1);
    const valueEnd = endOfValue(bytes, valueStart);
    visit(keyStart, keyEnd, valueStart, valueEnd);
    at = skipBlanks(bytes, valueEnd);
    if (bytes[at] !== COMMA) {
      return;
    }
    at += 1;
  }
}

function isKey(bytes: Uint8Array, start: number, end: number, key: string): boolean {
  const length = end - start - 2;
  // Each character takes six bytes at most (`\u006d`): anything longer is another key.
  if (length > key.length * 6) {
    return false;
  }
  let isSame = length === key.length;
  for (let i = 0; i < length; i++) {
    const byte = bytes[start + 1 + i] ?? 0;
    if (byte === BACKSLASH || byte >= 0x80) {
      return readKey(bytes, start, end) === key;
    }
    isSame &&= byte === key.charCodeAt(i);
  }
  return isSame;
}

/** A key's text, its escapes resolved; as written when it is no valid JSON string. */
function readKey(bytes: Uint8Array, start: number, end: number): string {
  const written = decodeUtf8Lenient(bytes.subarray(start, end));
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) {
    at += 1;
  }
  return at;
}

/** Position after the closing quote of the string that opens at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) {
      return bytes.length;
    }
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return quote + 1;
    }
    from = quote + 1;
  }
}

/** Position after the value that opens at `start`; iterative, so nesting depth costs no stack. */
function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) {
    return endOfString(bytes, start);
  }
  let at = start;
  let depth = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) {
        return trimmedEnd(bytes, at);
      }
      depth -= 1;
      if (depth === 0) {
        return at + 1;
      }
    } else if (byte === COMMA && depth === 0) {
      return trimmedEnd(bytes, at);
    }
    at += 1;
  }
  return at;
}

function trimmedEnd(bytes: Uint8Array, end: number): number {
  let at = end;
  while (
    bytes[at - 1] === 0x20 ||
    bytes[at - 1] === 0x0a ||
    bytes[at - 1] === 0x0d ||
    bytes[at - 1] === 0x09
  ) {
    at -= 1;
  }
  return at;
}
