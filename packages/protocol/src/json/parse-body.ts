import { isUtf8, type Utf8Check } from "../bytes/is-utf8.ts";
import { RequestProblemError } from "../openai/request-problem.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import { JsonSyntaxError, MOST_LEVELS, scanJson } from "./scan-json.ts";

/** How a body is to be read. */
export interface BodyReading {
  /** Keys whose arrays and objects are only hashed, and so left as written. */
  readonly spans?: ReadonlySet<string>;
  readonly isUtf8?: Utf8Check | undefined;
}

/**
 * Reads a request body that must be one JSON object; long strings in it are `JsonText`. Of duplicate keys the last wins,
 * as in the engines' parsers; numbers lose precision above 2^53 here, which is harmless because the body is forwarded
 * as received.
 * Throws RequestProblemError.
 */
export function parseJsonBody(bytes: Uint8Array, reading: BodyReading = {}): JsonObject {
  if (bytes.length === 0) {
    throw new RequestProblemError("body", "The body is empty. Send a JSON object.");
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new RequestProblemError("body", "The body starts with a byte order mark. Send UTF-8 without it.");
  }
  if (!(reading.isUtf8 ?? isUtf8)(bytes)) {
    throw new RequestProblemError("body", "The body is not valid UTF-8. Send JSON encoded as UTF-8.");
  }
  let value: unknown;
  try {
    value = scanJson(bytes, reading.spans);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw new RequestProblemError("body", describe(error));
    }
    throw error;
  }
  if (!isJsonObject(value)) {
    throw new RequestProblemError("body", 'The body must be a JSON object, such as {"model": "…"}.');
  }
  return value;
}

function describe(error: JsonSyntaxError): string {
  switch (error.reason) {
    case "ends_early":
      return `The body is not valid JSON: it ends too early, after ${error.atByte} bytes. Send one complete JSON object.`;
    case "too_deep":
      return `The body nests deeper than ${MOST_LEVELS} levels at byte ${error.atByte}. Send a flatter JSON object.`;
    case "syntax":
      return `The body is not valid JSON at byte ${error.atByte}. Send one complete JSON object.`;
  }
}
