import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { readEngineError } from "../stream/engine-error.ts";
import type { EventFacts, StreamDialect } from "../stream/stream-dialect.ts";
import { readUsage } from "../stream/token-usage.ts";

/** Where a delta may hold generated text. */
const TEXT_KEYS = ["content", "reasoning", "reasoning_content", "refusal"] as const;

/** Streams of chat completions and completions: data events that end with `[DONE]`. */
export const chatStream: StreamDialect = {
  endsWith: "done",
  tokenEventTypes: new Set(),
  readEvent(event: JsonObject): EventFacts {
    const choices = Array.isArray(event["choices"]) ? event["choices"] : [];
    const usage = readUsage(event["usage"]);
    const finishReasons: string[] = [];
    let tokenKey: string | null = null;
    for (const choice of choices) {
      if (isJsonObject(choice)) {
        tokenKey ??= tokenKeyOf(choice);
        if (typeof choice["finish_reason"] === "string") {
          finishReasons.push(choice["finish_reason"]);
        }
      }
    }
    return {
      tokenKey,
      usage,
      error: readEngineError(event),
      finishReasons,
      isEnd: false,
      isPlainToken: choices.length === 1 && usage === null && finishReasons.length === 0,
    };
  },
};

function tokenKeyOf(choice: JsonObject): string | null {
  if (isFilled(choice["text"])) {
    return "text";
  }
  const delta = choice["delta"];
  if (!isJsonObject(delta)) {
    return null;
  }
  for (const key of TEXT_KEYS) {
    if (isFilled(delta[key])) {
      return key;
    }
  }
  const calls = delta["tool_calls"];
  if ((Array.isArray(calls) && calls.length > 0) || isJsonObject(delta["function_call"])) {
    return "arguments";
  }
  return isJsonObject(delta["audio"]) ? "audio" : null;
}

/** Content is a string, or a list of parts in a few engines. */
function isFilled(value: unknown): boolean {
  return (typeof value === "string" || Array.isArray(value)) && value.length > 0;
}
