import type { Utf8Check } from "../bytes/is-utf8.ts";
import type { JsonObject } from "../json/json-object.ts";
import { textOf } from "../json/json-text.ts";
import { parseJsonBody } from "../json/parse-body.ts";
import type { PromptSequence } from "./prompt-parts.ts";
import { readCount, readFlag, readModel, readObject, readText, readTokenLimit } from "./read-field.ts";
import { readPrompts } from "./read-prompts.ts";
import { asRequestResult, type RequestProblem, RequestProblemError } from "./request-problem.ts";
import { type RouteKind, routeKindOf } from "./route-kind.ts";
import { findSessionKey, type HeaderRecord, readSessionHints, type SessionHints } from "./session-hints.ts";
import { refuseTransferFields } from "./transfer-fields.ts";

/** What the router reads from a request body. The bytes themselves are forwarded as received. */
export interface ParsedRequest {
  readonly kind: RouteKind;
  /** The name the client asks for: a base model or an adapter. */
  readonly model: string;
  readonly isStreaming: boolean;
  /** The client asked for the extra usage chunk of a stream. */
  readonly wantsUsage: boolean;
  /** Answers asked for per prompt (`n`), at least 1. */
  readonly answerCount: number;
  /** The client's limit on output tokens per answer, null when it set none. */
  readonly maxOutputTokens: number | null;
  readonly sessionHints: SessionHints;
  /** The conversation the request names, by the policy's sources (`header:NAME`, `body:FIELD`) in their order. */
  readonly sessionKey: (sources: readonly string[]) => string | null;
  /** Every prompt of the request in the engine's order; empty only on routes that carry none. */
  readonly prompts: readonly PromptSequence[];
  /** Separates this client's prefix cache from others'; part of the prefix identity. */
  readonly cacheSalt: string | null;
  /** SGLang's way to name an adapter beside a base model. */
  readonly loraPath: string | null;
  /** The client's scheduling priority as sent; its direction differs between engines. */
  readonly priority: number | null;
  /** A stored response this request continues: the state lives in one replica. */
  readonly previousResponseId: string | null;
}

export type ParseResult =
  | { readonly ok: true; readonly request: ParsedRequest }
  | { readonly ok: false; readonly problem: RequestProblem };

/** What an engine gets to see of these is their text. */
const SPANS: ReadonlySet<string> = new Set(["tools", "functions", "tool_calls"]);

/**
 * Reads an OpenAI-style JSON request.
 * @param path request path, with or without a query
 * @param bytes the body as received
 * @param headers lower-case header names
 * @param isUtf8 a faster check of the body's encoding, where the platform has one
 */
export function parseOpenAiRequest(
  path: string,
  bytes: Uint8Array,
  headers: HeaderRecord,
  isUtf8?: Utf8Check,
): ParseResult {
  return asRequestResult(() => {
    refuseEncodedBody(headers);
    const body = parseJsonBody(bytes, { spans: SPANS, isUtf8 });
    refuseTransferFields(body);
    return readRequest(routeKindOf(path) ?? "other", body, headers);
  });
}

function readRequest(kind: RouteKind, body: JsonObject, headers: HeaderRecord): ParsedRequest {
  const streamOptions = readObject(body, "stream_options");
  return {
    kind,
    model: readModel(body),
    isStreaming: readFlag(body, "stream"),
    wantsUsage:
      streamOptions !== null && readFlag(streamOptions, "include_usage", "stream_options.include_usage"),
    answerCount: readCount(body, "n", 1) ?? 1,
    maxOutputTokens: readMaxOutputTokens(body),
    sessionHints: readSessionHints(body, headers),
    sessionKey: (sources) => findSessionKey(sources, body, headers),
    prompts: readPrompts(kind, body),
    cacheSalt: readCacheSalt(body["cache_salt"]),
    loraPath: textOf(body["lora_path"]),
    priority: typeof body["priority"] === "number" ? body["priority"] : null,
    previousResponseId: kind === "responses" ? readText(body, "previous_response_id") : null,
  };
}

/** The newer name wins where a client sends both, as in the engines. */
function readMaxOutputTokens(body: JsonObject): number | null {
  return (
    readTokenLimit(body, "max_completion_tokens") ??
    readTokenLimit(body, "max_output_tokens") ??
    readTokenLimit(body, "max_tokens")
  );
}

function readCacheSalt(value: unknown): string | null {
  if (Array.isArray(value)) {
    return value.flatMap((salt) => textOf(salt) ?? []).join("\u0001") || null;
  }
  return textOf(value) || null;
}

function refuseEncodedBody(headers: HeaderRecord): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity" && encoding !== "") {
    throw new RequestProblemError(
      "content-encoding",
      "The body is compressed. Send it without content-encoding.",
    );
  }
}
