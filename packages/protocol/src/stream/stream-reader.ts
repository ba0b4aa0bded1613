import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { SseScanner } from "../sse/sse-scanner.ts";
import { type EngineError, readEngineError } from "./engine-error.ts";
import type { StreamDialect } from "./stream-dialect.ts";
import { TokenPattern } from "./token-pattern.ts";
import { mergeUsage, type TokenUsage } from "./token-usage.ts";

/** One per answer (`n`); an engine that sends more is not worth the memory. */
const MAX_FINISH_REASONS = 128;

/**
 * `clean`: the dialect's end was seen, or it has none. `error`: the engine reported one. `truncated`: neither, the
 * stream is broken.
 */
export type StreamEnding = "clean" | "error" | "truncated";

/**
 * Watches an event stream that is being relayed: counts tokens, notes usage, errors and how it ended. It only reads;
 * the relayed bytes are never touched. After the end marker only an unframed error is still noticed.
 */
export class StreamReader {
  private readonly dialect: StreamDialect;
  private readonly pattern = new TokenPattern();
  private readonly scanner: SseScanner;
  private isEnded = false;
  /** The latest event was not whole. */
  private isCut = false;

  /** Events that carried generated text, reasoning or tool calls so far. An engine may put several tokens in one. */
  tokens = 0;
  /** Latest usage the engine reported, null when none. */
  usage: TokenUsage | null = null;
  /** First error event, null when none. */
  error: EngineError | null = null;
  readonly finishReasons: string[] = [];
  /** Events that had to be parsed; the rest were recognised by their bytes. */
  parsed = 0;

  constructor(dialect: StreamDialect) {
    this.dialect = dialect;
    this.scanner = new SseScanner(
      (bytes, start, end, type) => this.event(bytes, start, end, type),
      (bytes, start, end) => this.stray(bytes, start, end),
    );
  }

  /** Reads one relayed chunk and returns how many token events it completed. */
  push(chunk: Uint8Array): number {
    const before = this.tokens;
    this.scanner.push(chunk);
    return this.tokens - before;
  }

  /** Call once, when the body has ended; says how. */
  end(): StreamEnding {
    this.scanner.end();
    return this.ending;
  }

  get ending(): StreamEnding {
    if (this.error !== null) {
      return "error";
    }
    if (this.isEnded) {
      return "clean";
    }
    if (this.dialect.endsWith === "unknown") {
      return "clean";
    }
    // Some engines leave the end marker out once the answer has said why it is finished.
    const mayEnd = this.dialect.endsWith === "body" || this.finishReasons.length > 0;
    return mayEnd && !this.isCut ? "clean" : "truncated";
  }

  private event(bytes: Uint8Array, start: number, end: number, type: string): void {
    if (this.isEnded) {
      return;
    }
    this.isCut = false;
    if (this.pattern.matches(bytes, start, end) || (type !== "" && this.dialect.tokenEventTypes.has(type))) {
      this.tokens += 1;
      return;
    }
    if (isDoneMarker(bytes, start, end)) {
      this.isEnded = true;
      return;
    }
    const event = this.parse(bytes, start, end);
    if (event === null) {
      this.isCut = true;
      return;
    }
    const facts = this.dialect.readEvent(event);
    if (facts.tokenKey !== null) {
      this.tokens += 1;
      if (facts.isPlainToken) {
        this.pattern.learn(bytes, start, end, facts.tokenKey);
      }
    }
    this.usage = mergeUsage(this.usage, facts.usage);
    this.error ??= facts.error;
    if (this.finishReasons.length < MAX_FINISH_REASONS) {
      this.finishReasons.push(...facts.finishReasons);
    }
    this.isEnded = facts.isEnd;
  }

  /** An unframed error body counts as the error it is, even after the end marker. */
  private stray(bytes: Uint8Array, start: number, end: number): void {
    const body = this.parse(bytes, start, end);
    this.error ??= body === null ? null : readEngineError(body);
  }

  private parse(bytes: Uint8Array, start: number, end: number): JsonObject | null {
    this.parsed += 1;
    try {
      const event: unknown = JSON.parse(decodeUtf8Lenient(bytes.subarray(start, end)));
      return isJsonObject(event) ? event : null;
    } catch {
      return null;
    }
  }
}

/** `[DONE]` and nothing else. */
function isDoneMarker(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === 6 &&
    bytes[start] === 0x5b &&
    bytes[start + 1] === 0x44 &&
    bytes[start + 2] === 0x4f &&
    bytes[start + 3] === 0x4e &&
    bytes[start + 4] === 0x45 &&
    bytes[start + 5] === 0x5d
  );
}
