import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { JsonSpan } from "../json/json-span.ts";
import { isText, JsonText } from "../json/json-text.ts";
import { digestBytes, digestText } from "./digest-text.ts";
import { RequestProblemError } from "./request-problem.ts";

/** Bytes of a body as they were sent, escapes and all: `bytes[start]` to `bytes[end - 1]`. */
export interface PromptBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** One piece of a prompt: text, text as sent, or token ids. Appending to a conversation only appends parts. */
export type PromptPart = string | PromptBytes | readonly number[];

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
    if (!(value instanceof JsonSpan) || !value.isArray) {
      throw new RequestProblemError(field, `${field} must be an array of tool definitions.`);
    }
    if (!value.isEmpty) {
      this.parts.push(`${SECTION}tools\n`, value);
    }
  }

  /**
   * A message with a role, its content, and the tool calls an assistant made. Its reasoning is left out, because most
   * chat templates drop the reasoning of earlier turns.
   */
  message(role: string, content: unknown, toolCalls: unknown, field: string): void {
    this.parts.push(`${SECTION}${role}\n`);
    this.content(content, `${field}.content`);
    if (toolCalls instanceof JsonSpan && toolCalls.isArray && !toolCalls.isEmpty) {
      this.parts.push(`${SECTION}calls\n`, toolCalls);
    }
  }

  /** A call of a tool: its name and what it is called with. */
  call(name: unknown, input: unknown): void {
    this.parts.push(`${SECTION}calls\n`);
    for (const part of [name, input]) {
      if (part instanceof JsonSpan) {
        this.parts.push(part);
      } else if (isText(part)) {
        this.text(part);
      }
    }
  }

  /** A string, a list of content parts, or nothing. */
  content(content: unknown, field: string): void {
    if (isText(content)) {
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

  text(text: string | JsonText): void {
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
    if (isText(part)) {
      this.text(part);
      return;
    }
    if (!isJsonObject(part)) {
      throw new RequestProblemError(field, `${field} must be a string or an object with a type.`);
    }
    for (const key of ["text", "refusal", "thinking"]) {
      const text = part[key];
      if (isText(text)) {
        this.text(text);
        return;
      }
    }
    if (part["type"] === "text" || part["type"] === "input_text") {
      throw new RequestProblemError(`${field}.text`, `${field}.text must be a string.`);
    }
    if (part["type"] === "tool_use") {
      this.call(part["name"], part["input"]);
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
    } else if (value instanceof JsonText) {
      name += `${key}=${digestBytes(value)};`;
    } else if (isJsonObject(value) && depth > 0) {
      name += `${key}={${digestMedia(value, depth - 1)}};`;
    }
  }
  return name;
}
