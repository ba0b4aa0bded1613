import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { readEngineError } from "../stream/engine-error.ts";
import type { EventFacts, StreamDialect } from "../stream/stream-dialect.ts";
import { readUsage } from "../stream/token-usage.ts";

const END_TYPES: ReadonlySet<unknown> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
]);

const TOKEN_TYPES: ReadonlySet<string> = new Set([
  "response.output_text.delta",
  "response.refusal.delta",
  "response.reasoning_text.delta",
  "response.reasoning_summary_text.delta",
  "response.function_call_arguments.delta",
]);

/** Streams of the Responses API: typed events, no `[DONE]`; the last one carries status and usage. */
export const responsesStream: StreamDialect = {
  endsWith: "event",
  tokenEventTypes: TOKEN_TYPES,
  readEvent(event: JsonObject): EventFacts {
    const type = event["type"];
    const response = isJsonObject(event["response"]) ? event["response"] : null;
    const isEnd = END_TYPES.has(type);
    const status = response?.["status"];
    const failure = type === "response.failed" && response !== null ? readEngineError(response) : null;
    return {
      tokenKey: typeof type === "string" && TOKEN_TYPES.has(type) ? "delta" : null,
      usage: response === null ? null : readUsage(response["usage"]),
      error:
        type === "response.failed"
          ? (failure ?? { status: null, type: null, message: "response failed" })
          : readEngineError(event),
      finishReasons: isEnd && typeof status === "string" ? [status] : [],
      isEnd,
      isPlainToken: false,
    };
  },
};
