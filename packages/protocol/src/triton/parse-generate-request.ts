import type { Utf8Check } from "../bytes/is-utf8.ts";
import type { JsonObject } from "../json/json-object.ts";
import { isText } from "../json/json-text.ts";
import { parseJsonBody } from "../json/parse-body.ts";
import type { ParsedRequest, ParseResult } from "../openai/parse-request.ts";
import { PromptBuilder, type PromptSequence } from "../openai/prompt-parts.ts";
import { checkModelName, readTokenLimit } from "../openai/read-field.ts";
import { asRequestResult, RequestProblemError } from "../openai/request-problem.ts";
import { findSessionKey, type HeaderRecord, readSessionHints } from "../openai/session-hints.ts";
import { type GeneratePath, readGeneratePath } from "./generate-path.ts";

/** Reads a request of Triton's generate extension: the model stands in the path, the prompt in `text_input`. */
export function parseGenerateRequest(
  path: string,
  bytes: Uint8Array,
  headers: HeaderRecord,
  isUtf8?: Utf8Check,
): ParseResult {
  return asRequestResult(() => {
    const target = readGeneratePath(path);
    if (target === null) {
      throw new RequestProblemError(
        "path",
        "The path must be /v2/models/MODEL/generate or …/generate_stream.",
      );
    }
    return readGenerateRequest(target, parseJsonBody(bytes, { isUtf8 }), headers);
  });
}

function readGenerateRequest(target: GeneratePath, body: JsonObject, headers: HeaderRecord): ParsedRequest {
  return {
    kind: "generate",
    model: checkModelName(target.model),
    isStreaming: target.isStreaming,
    wantsUsage: false,
    answerCount: 1,
    maxOutputTokens: readTokenLimit(body, "max_tokens"),
    sessionHints: readSessionHints(body, headers),
    sessionKey: (sources) => findSessionKey(sources, body, headers),
    prompts: readPrompts(body["text_input"]),
    cacheSalt: null,
    loraPath: null,
    priority: null,
    previousResponseId: null,
  };
}

/** Which inputs a model takes is its own affair: a text_input is used where there is one. */
function readPrompts(value: unknown): readonly PromptSequence[] {
  const texts = (Array.isArray(value) ? value : [value]).filter(isText);
  return texts.map((text) => {
    const prompt = new PromptBuilder();
    prompt.text(text);
    return prompt.build();
  });
}
