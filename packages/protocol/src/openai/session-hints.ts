import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { textOf } from "../json/json-text.ts";
import { digestText } from "./digest-text.ts";

/** Where a client may name its conversation: two headers, three body fields. The policy orders them. */
export const SESSION_HINT_NAMES = [
  "x-session-id",
  "x-claude-code-session-id",
  "prompt_cache_key",
  "conversation",
  "user",
] as const;
export type SessionHintName = (typeof SESSION_HINT_NAMES)[number];
export type SessionHints = Readonly<Record<SessionHintName, string | null>>;

/** Lower-case header names with their values, as Node's `request.headers` has them. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longest session key kept as it is; a longer one is replaced by its digest, so keys cost bounded memory. */
const MAX_KEY_LENGTH = 256;

/** Collects every conversation name the request carries; a field of an unusable type counts as absent. */
export function readSessionHints(body: JsonObject, headers: HeaderRecord): SessionHints {
  const conversation = body["conversation"];
  return {
    "x-session-id": boundedKey(firstHeader(headers["x-session-id"])),
    "x-claude-code-session-id": boundedKey(firstHeader(headers["x-claude-code-session-id"])),
    prompt_cache_key: boundedKey(body["prompt_cache_key"]),
    conversation: boundedKey(isJsonObject(conversation) ? conversation["id"] : conversation),
    user: boundedKey(body["user"]),
  };
}

/** The first hint present in the given order; null when the request names no session. */
export function pickSessionKey(hints: SessionHints, order: readonly SessionHintName[]): string | null {
  for (const name of order) {
    const key = hints[name];
    if (key !== null) {
      return key;
    }
  }
  return null;
}

/**
 * The conversation a request names, by the policy's sources in their order: `header:NAME`, or `body:FIELD` where a dot
 * leads into an object (`body:metadata.user_id`) and an object stands for its `id`. Null when none is present.
 */
export function findSessionKey(
  sources: readonly string[],
  body: JsonObject,
  headers: HeaderRecord,
): string | null {
  for (const source of sources) {
    const colon = source.indexOf(":");
    const name = source.slice(colon + 1);
    const key = boundedKey(
      source.startsWith("header:") ? firstHeader(headers[name.toLowerCase()]) : fieldAt(body, name),
    );
    if (key !== null) {
      return key;
    }
  }
  return null;
}

function fieldAt(body: JsonObject, path: string): unknown {
  let value: unknown = body;
  for (const name of path.split(".")) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return isJsonObject(value) ? value["id"] : value;
}

function firstHeader(value: string | readonly string[] | undefined): unknown {
  return typeof value === "object" ? value[0] : value;
}

function boundedKey(value: unknown): string | null {
  const key = textOf(value)?.trim();
  if (key === undefined || key === "") {
    return null;
  }
  return key.length <= MAX_KEY_LENGTH ? key : `digest:${digestText(key)}`;
}
