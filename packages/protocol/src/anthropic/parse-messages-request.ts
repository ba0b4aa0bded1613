import type { Utf8Check } from "../bytes/is-utf8.ts";
import type { JsonObject } from "../json/json-object.ts";
import { isJsonObject } from "../json/json-object.ts";
import { textOf } from "../json/json-text.ts";
import { parseJsonBody } from "../json/parse-body.ts";
import type { ParsedRequest, ParseResult } from "../openai/parse-request.ts";
import { PromptBuilder, type PromptSequence } from "../openai/prompt-parts.ts";
import { readFlag, readModel, readTokenLimit } from "../openai/read-field.ts";
import { asRequestResult, RequestProblemError } from "../openai/request-problem.ts";
import { findSessionKey, type HeaderRecord, readSessionHints } from "../openai/session-hints.ts";
import { refuseTransferFields } from "../openai/transfer-fields.ts";

/** What an engine gets to see of these is their text. */
const SPANS: ReadonlySet<string> = new Set(["tools", "input"]);

/** Reads a request of Anthropic's Messages API, or of its token counting. */
export function parseMessagesRequest(
  bytes: Uint8Array,
  headers: HeaderRecord,
  isUtf8?: Utf8Check,
): ParseResult {
  return asRequestResult(() => readMessagesRequest(parseJsonBody(bytes, { spans: SPANS, isUtf8 }), headers));
}

function readMessagesRequest(body: JsonObject, headers: HeaderRecord): ParsedRequest {
  refuseTransferFields(body);
  const metadata = body["metadata"];
  // Anthropic's user id is OpenAI's user.
  const named = { ...body, user: isJsonObject(metadata) ? metadata["user_id"] : undefined };
  return {
    kind: "messages",
    model: readModel(body),
    isStreaming: readFlag(body, "stream"),
    // Its streams always carry usage.
    wantsUsage: true,
    answerCount: 1,
    maxOutputTokens: readTokenLimit(body, "max_tokens"),
    sessionHints: readSessionHints(named, headers),
    sessionKey: (sources) => findSessionKey(sources, named, headers),
    prompts: [readPrompt(body)],
    cacheSalt: textOf(body["cache_salt"]),
    loraPath: null,
    priority: typeof body["priority"] === "number" ? body["priority"] : null,
    previousResponseId: null,
  };
}

/** Tools, then the system prompt, then the messages: the order engines render them in. */
function readPrompt(body: JsonObject): PromptSequence {
  const prompt = new PromptBuilder();
  prompt.tools(body["tools"], "tools");
  if (body["system"] !== undefined && body["system"] !== null) {
    prompt.message("system", body["system"], undefined, "system");
  }
  const messages = body["messages"];
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new RequestProblemError("messages", "messages must be an array with at least one message.");
  }
  for (const [index, message] of messages.entries()) {
    const field = `messages[${index}]`;
    const role = isJsonObject(message) ? textOf(message["role"]) : null;
    if (!isJsonObject(message) || role === null) {
      throw new RequestProblemError(field, `${field} must be an object with role and content.`);
    }
    prompt.message(role, message["content"], undefined, field);
  }
  return prompt.build();
}
