import type { JsonObject } from "../json/json-object.ts";
import { readEngineError } from "../stream/engine-error.ts";
import type { EventFacts, StreamDialect } from "../stream/stream-dialect.ts";

/** Streams of Triton's generate_stream: one JSON object per event, no end marker, no usage. */
export const generateStream: StreamDialect = {
  endsWith: "body",
  tokenEventTypes: new Set(),
  readEvent(event: JsonObject): EventFacts {
    const text = event["text_output"];
    const tokenKey = typeof text === "string" && text !== "" ? "text_output" : null;
    return {
      tokenKey,
      usage: null,
      error: readEngineError(event),
      finishReasons: [],
      isEnd: false,
      isPlainToken: tokenKey !== null,
    };
  },
};
