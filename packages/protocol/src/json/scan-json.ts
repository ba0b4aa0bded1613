import { JsonSpan } from "./json-span.ts";
import { JsonText } from "./json-text.ts";
import { WordCache } from "./word-cache.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const WORD_BYTES = 32;
/** Strings up to this length are checked in full; of longer ones the content is left to the engine. */
const CHECKED_BYTES = 256;
/** Digits a number may have to be added up exactly. */
const EXACT_DIGITS = 15;

/** Deepest nesting accepted; the engines' own parsers give up at some hundreds. */
export const MOST_LEVELS = 500;

/** Thrown by `scanJson` where the bytes stop being JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly reason: "syntax" | "ends_early" | "too_deep";
  readonly atByte: number;

  constructor(reason: JsonSyntaxError["reason"], atByte: number) {
    super(`${reason} at byte ${atByte}`);
    this.reason = reason;
    this.atByte = atByte;
  }
}

const words = new WordCache();
const NO_SPANS: ReadonlySet<string> = new Set();

/**
 * Reads JSON without decoding what is long: what `JSON.parse` gives, except that strings which are long or not plain ASCII
 * are `JsonText`, and arrays and objects under a key of `spans` are `JsonSpan`. Of duplicate keys the last wins. Refuses what
 * `JSON.parse` refuses, except for control characters and invalid escapes inside long strings, and more than 500 levels.
 * The bytes must be valid UTF-8.
 * @throws JsonSyntaxError
 */
export function scanJson(bytes: Uint8Array, spans: ReadonlySet<string> = NO_SPANS): unknown {
  return new Scanner(bytes, spans).document();
}

class Scanner {
  private readonly bytes: Uint8Array;
  private readonly spans: ReadonlySet<string>;
  private at = 0;
  private levels = 0;
  /** Inside a span: structure is checked, nothing is built. */
  private isSpan = false;

  constructor(bytes: Uint8Array, spans: ReadonlySet<string>) {
    this.bytes = bytes;
    this.spans = spans;
  }

  document(): unknown {
    const value = this.value();
    if (this.skipBlanks() < this.bytes.length) {
      throw this.error(this.at);
    }
    return value;
  }

  private value(): unknown {
    const first = this.bytes[this.skipBlanks()];
    switch (first) {
      case QUOTE:
        return this.string();
      case OPEN_BRACE:
        return this.object();
      case OPEN_BRACKET:
        return this.array();
      case 0x74:
        return this.literal("true", true);
      case 0x66:
        return this.literal("false", false);
      case 0x6e:
        return this.literal("null", null);
      default:
        return this.number();
    }
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.enter();
    if (this.bytes[this.skipBlanks()] === CLOSE_BRACE) {
      this.leave();
      return object;
    }
    for (;;) {
      if (this.bytes[this.skipBlanks()] !== QUOTE) {
        throw this.error(this.at);
      }
      const key = this.key();
      if (this.bytes[this.skipBlanks()] !== COLON) {
        throw this.error(this.at);
      }
      this.at++;
      if (this.isSpan) {
        this.value();
      } else {
        const value = this.spans.has(key) ? this.spanOrValue() : this.value();
        if (key === "__proto__") {
          Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
        } else {
          object[key] = value;
        }
      }
      const next = this.bytes[this.skipBlanks()];
      if (next === CLOSE_BRACE) {
        this.leave();
        return object;
      }
      if (next !== COMMA) {
        throw this.error(this.at);
      }
      this.at++;
    }
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.enter();
    if (this.bytes[this.skipBlanks()] === CLOSE_BRACKET) {
      this.leave();
      return array;
    }
    for (;;) {
      const value = this.value();
      if (!this.isSpan) {
        array.push(value);
      }
      const next = this.bytes[this.skipBlanks()];
      if (next === CLOSE_BRACKET) {
        this.leave();
        return array;
      }
      if (next !== COMMA) {
        throw this.error(this.at);
      }
      this.at++;
    }
  }

  private spanOrValue(): unknown {
    const start = this.skipBlanks();
    const first = this.bytes[start];
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
      return this.value();
    }
    this.at = start + 1;
    const second = this.bytes[this.skipBlanks()];
    this.at = start;
    this.isSpan = true;
    this.value();
    this.isSpan = false;
    const isEmpty = second === CLOSE_BRACE || second === CLOSE_BRACKET;
    return new JsonSpan(this.bytes, { start, end: this.at }, { isArray: first === OPEN_BRACKET, isEmpty });
  }

  private string(): string | JsonText {
    const { bytes } = this;
    const start = this.at + 1;
    const most = Math.min(start + WORD_BYTES, bytes.length);
    for (let i = start; i < most; i++) {
      const byte = bytes[i] ?? 0;
      if (byte === QUOTE) {
        this.at = i + 1;
        return this.isSpan ? "" : words.read(bytes, start, i);
      }
      if (byte === BACKSLASH || byte >= 0x80) {
        break;
      }
      if (byte < 0x20) {
        throw this.error(i);
      }
    }
    const end = this.endOfString(start);
    if (end - start <= CHECKED_BYTES) {
      this.checkText(start, end);
    }
    this.at = end + 1;
    return new JsonText(bytes, start, end);
  }

  private key(): string {
    const key = this.string();
    if (typeof key === "string") {
      return key;
    }
    const text = key.decode();
    if (text === null) {
      throw this.error(key.start);
    }
    return text;
  }

  /** Position of the quote that closes the string whose content starts at `start`. */
  private endOfString(start: number): number {
    let from = start;
    for (;;) {
      const quote = this.bytes.indexOf(QUOTE, from);
      if (quote === -1) {
        throw this.error(this.bytes.length);
      }
      let backslashes = 0;
      while (quote - 1 - backslashes >= start && this.bytes[quote - 1 - backslashes] === BACKSLASH) {
        backslashes++;
      }
      if (backslashes % 2 === 0) {
        return quote;
      }
      from = quote + 1;
    }
  }

  private checkText(start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const byte = this.bytes[i] ?? 0;
      if (byte < 0x20) {
        throw this.error(i);
      }
      if (byte === BACKSLASH) {
        i++;
        if (this.bytes[i] !== 0x75) {
          if (!isEscape(this.bytes[i] ?? 0)) {
            throw this.error(i);
          }
          continue;
        }
        for (const last = i + 4; i < last; ) {
          i++;
          if (i >= end || !isHexDigit(this.bytes[i] ?? 0)) {
            throw this.error(i);
          }
        }
      }
    }
  }

  private literal<T>(word: string, value: T): T {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) {
        throw this.error(this.at + i);
      }
    }
    this.at += word.length;
    return value;
  }

  private number(): number {
    const start = this.at;
    const isNegative = this.bytes[start] === MINUS;
    if (isNegative) {
      this.at++;
    }
    const firstDigit = this.at;
    let sum = 0;
    if (this.bytes[this.at] === ZERO) {
      this.at++;
    } else {
      sum = this.digits();
    }
    const digits = this.at - firstDigit;
    let isWhole = true;
    if (this.bytes[this.at] === POINT) {
      isWhole = false;
      this.at++;
      this.digits();
    }
    if (this.bytes[this.at] === 0x65 || this.bytes[this.at] === 0x45) {
      isWhole = false;
      this.at++;
      if (this.bytes[this.at] === PLUS || this.bytes[this.at] === MINUS) {
        this.at++;
      }
      this.digits();
    }
    if (this.isSpan) {
      return 0;
    }
    if (isWhole && digits <= EXACT_DIGITS) {
      return isNegative ? -sum : sum;
    }
    return Number(asciiOf(this.bytes, start, this.at));
  }

  /** Passes one digit or more; their sum is exact for up to fifteen. */
  private digits(): number {
    const start = this.at;
    let sum = 0;
    for (;;) {
      const digit = (this.bytes[this.at] ?? 0) - ZERO;
      if (!(digit >= 0 && digit <= 9)) {
        break;
      }
      sum = sum * 10 + digit;
      this.at++;
    }
    if (this.at === start) {
      throw this.error(start);
    }
    return sum;
  }

  private enter(): void {
    this.at++;
    this.levels++;
    if (this.levels > MOST_LEVELS) {
      throw new JsonSyntaxError("too_deep", this.at - 1);
    }
  }

  private leave(): void {
    this.at++;
    this.levels--;
  }

  private skipBlanks(): number {
    let at = this.at;
    for (;;) {
      const byte = this.bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        break;
      }
      at++;
    }
    this.at = at;
    return at;
  }

  private error(at: number): JsonSyntaxError {
    const { length } = this.bytes;
    return at < length ? new JsonSyntaxError("syntax", at) : new JsonSyntaxError("ends_early", length);
  }
}

function isEscape(byte: number): boolean {
  // " \ / b f n r t
  return (
    byte === QUOTE ||
    byte === BACKSLASH ||
    byte === 0x2f ||
    byte === 0x62 ||
    byte === 0x66 ||
    byte === 0x6e ||
    byte === 0x72 ||
    byte === 0x74
  );
}

function isHexDigit(byte: number): boolean {
  return (byte >= ZERO && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** In pieces, because an endless number must not become an endless argument list. */
function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += 1024) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 1024, end)));
  }
  return text;
}
