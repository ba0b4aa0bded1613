import { isJsonObject } from "@evenkeel/protocol/json/json-object";
import { locateValue } from "@evenkeel/protocol/json/locate-value";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";
import type { EngineError } from "@evenkeel/protocol/stream/engine-error";
import { openStreamReader } from "@evenkeel/protocol/stream/open-stream-reader";
import type { StreamEnding, StreamReader } from "@evenkeel/protocol/stream/stream-reader";
import { readUsage, type TokenUsage } from "@evenkeel/protocol/stream/token-usage";
import { isEventStream, type UpstreamHeaders } from "./upstream-headers.ts";

/** What passed by in an answer. */
export interface ReplyObservation {
  /** When the first token came, null for answers that are not streams or had none. */
  readonly firstTokenAtMs: number | null;
  readonly lastTokenAtMs: number | null;
  /** Events that carried tokens. */
  readonly tokenEvents: number;
  readonly usage: TokenUsage | null;
  /** How an event stream ended, null for other answers. */
  readonly ending: StreamEnding | null;
}

/** A longer plain answer is relayed without being looked at. */
const LOOK_BYTES = 1024 * 1024;

/**
 * Watches an answer pass. It reads the bytes where they lie and holds none of them back; an answer it cannot read
 * (compressed, oversized, not JSON) is relayed all the same.
 */
export class ReplyObserver {
  readonly #stream: StreamReader | null;
  #firstTokenAtMs: number | null = null;
  #lastTokenAtMs: number | null = null;
  #ending: StreamEnding | null = null;
  #body: Buffer[] | null;
  #bodyBytes = 0;

  constructor(kind: RouteKind, headers: UpstreamHeaders) {
    const isReadable = headers["content-encoding"] === undefined;
    this.#stream = isReadable && isEventStream(headers) ? openStreamReader(kind) : null;
    this.#body = isReadable && isJson(headers) ? [] : null;
  }

  /** Looks at a chunk. Returns how many token events it completed. */
  see(chunk: Buffer, nowMs: number): number {
    if (this.#stream === null) {
      this.#keep(chunk);
      return 0;
    }
    const tokens = this.#stream.push(chunk);
    if (tokens > 0) {
      this.#firstTokenAtMs ??= nowMs;
      this.#lastTokenAtMs = nowMs;
    }
    return tokens;
  }

  get hasToken(): boolean {
    return this.#firstTokenAtMs !== null;
  }

  /** An error the engine reported inside an event stream, null when none. */
  get error(): EngineError | null {
    return this.#stream?.error ?? null;
  }

  /** The body has ended: how, in the terms of its event stream; null for other answers. */
  end(): StreamEnding | null {
    this.#ending ??= this.#stream?.end() ?? null;
    return this.#ending;
  }

  /** What was seen in all; call it once, when the answer has ended. */
  finish(): ReplyObservation {
    return {
      firstTokenAtMs: this.#firstTokenAtMs,
      lastTokenAtMs: this.#lastTokenAtMs,
      tokenEvents: this.#stream?.tokens ?? 0,
      ending: this.end(),
      usage: this.#stream === null ? this.#usageOfBody() : this.#stream.usage,
    };
  }

  #keep(chunk: Buffer): void {
    if (this.#body === null) return;
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > LOOK_BYTES) this.#body = null;
    else this.#body.push(chunk);
  }

  #usageOfBody(): TokenUsage | null {
    if (this.#body === null) return null;
    const [only] = this.#body;
    const bytes = this.#body.length === 1 && only !== undefined ? only : Buffer.concat(this.#body);
    const range = locateValue(bytes, "usage");
    if (range === null) return null;
    try {
      const usage: unknown = JSON.parse(bytes.toString("utf8", range.start, range.end));
      return isJsonObject(usage) ? readUsage(usage) : null;
    } catch {
      return null;
    }
  }
}

function isJson(headers: UpstreamHeaders): boolean {
  const type = headers["content-type"];
  return typeof type === "string" && type.toLowerCase().startsWith("application/json");
}
