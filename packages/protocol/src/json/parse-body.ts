import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { RequestProblemError } from "../openai/request-problem.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";

/**
 * Parses a request body that must be one JSON object. Of duplicate keys the last wins, as in the engines' parsers;
 * numbers lose precision above 2^53 here, which is harmless because the body is forwarded as received.
 * Throws RequestProblemError.
 */
export function parseJsonBody(bytes: Uint8Array): JsonObject {
  if (bytes.length === 0) {
    throw new RequestProblemError("body", "The body is empty. Send a JSON object.");
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new RequestProblemError("body", "The body starts with a byte order mark. Send UTF-8 without it.");
  }
  const text = decodeUtf8(bytes);
  if (text === null) {
    throw new RequestProblemError("body", "The body is not valid UTF-8. Send JSON encoded as UTF-8.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RequestProblemError("body", describeSyntaxError(error, text));
  }
  if (!isJsonObject(value)) {
    throw new RequestProblemError("body", 'The body must be a JSON object, such as {"model": "…"}.');
  }
  return value;
}

/** The engine's own message may quote the body, so only the position is taken from it. */
function describeSyntaxError(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  if (message.startsWith("Unexpected end")) {
    return `The body is not valid JSON: it ends too early, after ${text.length} characters. Send one complete JSON object.`;
  }
  const position = /at position (\d+)/.exec(message)?.[1];
  const where = position === undefined ? "" : ` at character ${position}`;
  return `The body is not valid JSON${where}. Send one complete JSON object.`;
}
