import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { readEngineError } from "../stream/engine-error.ts";
import type { EventFacts, StreamDialect } from "../stream/stream-dialect.ts";
import { readUsage } from "../stream/token-usage.ts";

/** Streams of Anthropic's Messages API: typed events up to `message_stop`. */
export const messagesStream: StreamDialect = {
  endsWith: "event",
  tokenEventTypes: new Set(),
  readEvent(event: JsonObject): EventFacts {
    const message = isJsonObject(event["message"]) ? event["message"] : null;
    const delta = isJsonObject(event["delta"]) ? event["delta"] : null;
    const stopReason = delta?.["stop_reason"];
    const tokenKey = event["type"] === "content_block_delta" && delta !== null ? tokenKeyOf(delta) : null;
    return {
      tokenKey,
      usage: readUsage(message?.["usage"] ?? event["usage"]),
      error: readEngineError(event),
      finishReasons: typeof stopReason === "string" ? [stopReason] : [],
      isEnd: event["type"] === "message_stop",
      isPlainToken: tokenKey !== null,
    };
  },
};

function tokenKeyOf(delta: JsonObject): string | null {
  for (const key of ["text", "thinking", "partial_json"]) {
    const value = delta[key];
    if (typeof value === "string" && value !== "") {
      return key;
    }
  }
  return null;
}
