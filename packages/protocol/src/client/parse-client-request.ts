import { parseMessagesRequest } from "../anthropic/parse-messages-request.ts";
import type { Utf8Check } from "../bytes/is-utf8.ts";
import { parseAudioRequest } from "../openai/parse-audio-request.ts";
import { type ParseResult, parseOpenAiRequest } from "../openai/parse-request.ts";
import { routeKindOf } from "../openai/route-kind.ts";
import type { HeaderRecord } from "../openai/session-hints.ts";
import { parseGenerateRequest } from "../triton/parse-generate-request.ts";

/**
 * Reads a client request in whichever protocol its path belongs to.
 * @param path request path, with or without a query
 * @param bytes the body as received
 * @param headers lower-case header names
 * @param isUtf8 a faster check of the body's encoding, where the platform has one
 */
export function parseClientRequest(
  path: string,
  bytes: Uint8Array,
  headers: HeaderRecord,
  isUtf8?: Utf8Check,
): ParseResult {
  switch (routeKindOf(path)) {
    case "messages":
      return parseMessagesRequest(bytes, headers, isUtf8);
    case "generate":
      return parseGenerateRequest(path, bytes, headers, isUtf8);
    case "audio":
      return parseAudioRequest(bytes, headers);
    default:
      return parseOpenAiRequest(path, bytes, headers, isUtf8);
  }
}
