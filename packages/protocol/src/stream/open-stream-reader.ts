import { messagesStream } from "../anthropic/messages-stream.ts";
import { chatStream } from "../openai/chat-stream.ts";
import { responsesStream } from "../openai/responses-stream.ts";
import type { RouteKind } from "../openai/route-kind.ts";
import { generateStream } from "../triton/generate-stream.ts";
import type { StreamDialect } from "./stream-dialect.ts";
import { StreamReader } from "./stream-reader.ts";

/** Streams of routes without a protocol of their own: what looks like chat is read as chat, however they end. */
const unknownStream: StreamDialect = { ...chatStream, endsWith: "unknown" };

/** A reader for the event stream that answers a request of this kind. */
export function openStreamReader(kind: RouteKind): StreamReader {
  switch (kind) {
    case "responses":
      return new StreamReader(responsesStream);
    case "messages":
      return new StreamReader(messagesStream);
    case "generate":
      return new StreamReader(generateStream);
    case "chat":
    case "completions":
      return new StreamReader(chatStream);
    default:
      return new StreamReader(unknownStream);
  }
}
