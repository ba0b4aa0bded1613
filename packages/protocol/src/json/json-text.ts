import { decodeUtf8 } from "../bytes/decode-utf8.ts";

/**
 * A JSON string that is left as it was written: `bytes[start]` to `bytes[end - 1]` lie between its quotes. Prompts are
 * long and only hashed, so most of a body is never decoded.
 */
export class JsonText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** The string; null when its escapes or characters are not valid, which only a long one can still hide. */
  decode(): string | null {
    const written = decodeUtf8(this.bytes.subarray(this.start - 1, this.end + 1));
    if (written === null) {
      return null;
    }
    try {
      return String(JSON.parse(written));
    } catch {
      return null;
    }
  }
}

/** A string value of a scanned body, decoded where need be; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") {
    return value;
  }
  return value instanceof JsonText ? value.decode() : null;
}

/** True for a string value of a scanned body, decoded or not. */
export function isText(value: unknown): value is string | JsonText {
  return typeof value === "string" || value instanceof JsonText;
}
