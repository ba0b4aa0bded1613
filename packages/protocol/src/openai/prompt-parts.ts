import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { digestText } from "./digest-text.ts";
import { RequestProblemError } from "./request-problem.ts";

/** One piece of a prompt: text, or token ids. Appending to a conversation only appends parts. */
export type PromptPart = string | readonly number[];

/** A prompt in the order the engine's chat template renders it. */
export interface PromptSequence {
  readonly parts: readonly PromptPart[];
  /** Images, audio, video and files: each stands as a short digest in `parts` but costs the engine many tokens. */
  readonly mediaCount: number;
}

/** Starts a role or tool section. A control character, so that no ordinary text looks like one. */
const SECTION = "\u0001";
const MEDIA = "\u0002";
/** How deep a media object is searched for its URL or data. */
const MEDIA_DEPTH = 4;

/** Collects the parts of one prompt. */
export class PromptBuilder {
  readonly parts: PromptPart[] = [];
  mediaCount = 0;

  /** Tool and function definitions: templates render them before the conversation. */
  tools(value: unknown, field: string): void {
    if (value === undefined || value === null) {
      return;
    }
    if (!Array.isArray(value)) {
      throw new RequestProblemError(field, `${field} must be an array of tool definitions.`);
    }
    if (value.length > 0) {
      this.parts.push(`${SECTION}tools\n`, stringify(value, field));
    }
  }

  /**
   * A message with a role, its content, and the tool calls an assistant made. Its reasoning is left out, because most
   * chat templates drop the reasoning of earlier turns.
   */
  message(role: string, content: unknown, toolCalls: unknown, field: string): void {
    this.parts.push(`${SECTION}${role}\n`);
    this.content(content, `${field}.content`);
    if (Array.isArray(toolCalls) && toolCalls.length > 0) {
      this.parts.push(`${SECTION}calls\n`, stringify(toolCalls, `${field}.tool_calls`));
    }
  }

  /** A string, a list of content parts, or nothing. */
  content(content: unknown, field: string): void {
    if (typeof content === "string") {
      this.text(content);
      return;
    }
    if (content === undefined || content === null) {
      return;
    }
    if (isJsonObject(content)) {
      this.contentPart(content, field);
      return;
    }
    if (!Array.isArray(content)) {
      throw new RequestProblemError(field, `${field} must be a string or an array of content parts.`);
    }
    for (const [index, part] of content.entries()) {
      this.contentPart(part, `${field}[${index}]`);
    }
  }

  text(text: string): void {
    if (text !== "") {
      this.parts.push(text);
    }
  }

  tokens(ids: readonly number[]): void {
    this.parts.push(ids);
  }

  build(): PromptSequence {
    return { parts: this.parts, mediaCount: this.mediaCount };
  }

  private contentPart(part: unknown, field: string): void {
    if (typeof part === "string") {
      this.text(part);
      return;
    }
    if (!isJsonObject(part)) {
      throw new RequestProblemError(field, `${field} must be a string or an object with a type.`);
    }
    for (const key of ["text", "refusal", "thinking"]) {
      const text = part[key];
      if (typeof text === "string") {
        this.text(text);
        return;
      }
    }
    if (part["type"] === "text" || part["type"] === "input_text") {
      throw new RequestProblemError(`${field}.text`, `${field}.text must be a string.`);
    }
    if (part["type"] === "tool_use") {
      this.parts.push(`${SECTION}calls\n`, stringify([part["name"], part["input"]], field));
      return;
    }
    if (part["type"] === "tool_result") {
      this.parts.push(`${SECTION}tool\n`);
      this.content(part["content"], `${field}.content`);
      return;
    }
    this.mediaCount += 1;
    this.parts.push(`${MEDIA}${digestMedia(part, MEDIA_DEPTH)}`);
  }
}

/** Names a media object by all its strings: type, URL, inline data, detail. */
function digestMedia(part: JsonObject, depth: number): string {
  let name = "";
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === "string") {
      name += `${key}=${digestText(value)};`;
    } else if (isJsonObject(value) && depth > 0) {
      name += `${key}={${digestMedia(value, depth - 1)}};`;
    }
  }
  return name;
}

function stringify(value: unknown, field: string): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Parsing nests without limit, writing recurses: only a value some thousand levels deep gets here.
    throw new RequestProblemError(field, `${field} is nested too deeply.`);
  }
}
