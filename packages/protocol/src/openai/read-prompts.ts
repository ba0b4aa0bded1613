import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { isText, type JsonText, textOf } from "../json/json-text.ts";
import { PromptBuilder, type PromptSequence } from "./prompt-parts.ts";
import { RequestProblemError } from "./request-problem.ts";
import type { RouteKind } from "./route-kind.ts";

/**
 * The prompts of a body, each a sequence of its own to the engine; chat has one, a batch has several. Chat, completions
 * and responses are read strictly, since the router's answer to a mistake is clearer than an engine's; every other
 * route keeps its freedom of shape, and a prompt in no familiar place is simply not seen.
 */
export function readPrompts(kind: RouteKind, body: JsonObject): readonly PromptSequence[] {
  switch (kind) {
    case "chat":
      return [readConversation(body)];
    case "completions":
      // vLLM takes embeddings in place of a prompt.
      return body["prompt"] == null && body["prompt_embeds"] != null
        ? []
        : readTexts(body["prompt"], "prompt");
    case "responses":
      return [readResponsesInput(body)];
    default:
      return readWhatIsKnown(body);
  }
}

/** `messages`, after the tool definitions that templates put first. */
function readConversation(body: JsonObject): PromptSequence {
  const messages = body["messages"];
  if (!Array.isArray(messages)) {
    throw new RequestProblemError("messages", "messages must be an array with at least one message.");
  }
  if (messages.length === 0) {
    throw new RequestProblemError("messages", "messages is empty. Send at least one message.");
  }
  const prompt = new PromptBuilder();
  prompt.tools(body["tools"], "tools");
  prompt.tools(body["functions"], "functions");
  for (const [index, message] of messages.entries()) {
    const field = `messages[${index}]`;
    if (!isJsonObject(message)) {
      throw new RequestProblemError(field, `${field} must be an object with role and content.`);
    }
    const role = textOf(message["role"]);
    if (role === null || role === "") {
      throw new RequestProblemError(`${field}.role`, `${field}.role must be a string such as "user".`);
    }
    prompt.message(role, message["content"], message["tool_calls"], field);
  }
  return prompt.build();
}

/** A string, a list of strings, a list of token ids, or a list of such lists. */
function readTexts(value: unknown, field: string): readonly PromptSequence[] {
  if (isText(value)) {
    return [textPrompt(value)];
  }
  if (!Array.isArray(value) || value.length === 0) {
    throw new RequestProblemError(
      field,
      `${field} must be a string, an array of token ids, or a non-empty array of either.`,
    );
  }
  if (typeof value[0] === "number") {
    return [tokenPrompt(value, field)];
  }
  return value.map((entry, index) => {
    if (isText(entry)) {
      return textPrompt(entry);
    }
    if (Array.isArray(entry)) {
      return tokenPrompt(entry, `${field}[${index}]`);
    }
    throw new RequestProblemError(
      `${field}[${index}]`,
      `${field}[${index}] must be a string or an array of token ids.`,
    );
  });
}

function textPrompt(text: string | JsonText): PromptSequence {
  const prompt = new PromptBuilder();
  prompt.text(text);
  return prompt.build();
}

function tokenPrompt(ids: readonly unknown[], field: string): PromptSequence {
  if (!areTokenIds(ids)) {
    throw new RequestProblemError(field, `${field} must hold only token ids: whole numbers of at least 0.`);
  }
  const prompt = new PromptBuilder();
  prompt.tokens(ids);
  return prompt.build();
}

function areTokenIds(ids: readonly unknown[]): ids is readonly number[] {
  return ids.every((id) => typeof id === "number" && Number.isSafeInteger(id) && id >= 0);
}

/** Responses: `instructions`, then `input` as text or as items. */
function readResponsesInput(body: JsonObject): PromptSequence {
  const prompt = new PromptBuilder();
  prompt.tools(body["tools"], "tools");
  if (isText(body["instructions"])) {
    prompt.message("system", body["instructions"], undefined, "instructions");
  }
  const input = body["input"];
  // A stored prompt template may stand in for the input.
  if (input === undefined || input === null) {
    return prompt.build();
  }
  if (isText(input)) {
    prompt.message("user", input, undefined, "input");
    return prompt.build();
  }
  if (!Array.isArray(input)) {
    throw new RequestProblemError("input", "input must be a string or an array of input items.");
  }
  for (const [index, item] of input.entries()) {
    const field = `input[${index}]`;
    if (!isJsonObject(item)) {
      throw new RequestProblemError(field, `${field} must be an object.`);
    }
    const role = textOf(item["role"]) ?? textOf(item["type"]) ?? "item";
    prompt.message(role, item["content"] ?? item["output"], undefined, field);
    if (item["arguments"] !== undefined) {
      prompt.call(item["name"], item["arguments"]);
    }
  }
  return prompt.build();
}

/** Takes a prompt from the places where routes are known to have one, and asks for nothing. */
function readWhatIsKnown(body: JsonObject): readonly PromptSequence[] {
  for (const field of ["messages", "prompt", "input", "query", "queries", "text_1"]) {
    if (body[field] !== undefined) {
      try {
        return field === "messages" ? [readConversation(body)] : readTexts(body[field], field);
      } catch (error) {
        if (error instanceof RequestProblemError) {
          return [];
        }
        throw error;
      }
    }
  }
  return [];
}
