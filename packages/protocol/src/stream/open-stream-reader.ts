import { messagesStream } from "../anthropic/messages-stream.ts";
import { chatStream } from "../openai/chat-stream.ts";
import { responsesStream } from "../openai/responses-stream.ts";
import type { RouteKind } from "../openai/route-kind.ts";
import { generateStream } from "../triton/generate-stream.ts";
import { StreamReader } from "./stream-reader.ts";

/** A reader for the event stream that answers a request of this kind. */
export function openStreamReader(kind: RouteKind): StreamReader {
  switch (kind) {
    case "responses":
      return new StreamReader(responsesStream);
    case "messages":
      return new StreamReader(messagesStream);
    case "generate":
      return new StreamReader(generateStream);
    default:
      return new StreamReader(chatStream);
  }
}
