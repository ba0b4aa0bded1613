import type { ParsedRequest } from "@evenkeel/protocol/openai/parse-request";
import { hashPrompt, isPromptBytes, NO_PREFIX, type PrefixBlocks } from "@evenkeel/scheduler/prefix-blocks";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import { hashSession } from "./record/session-hash.ts";

/** Prompt tokens an image, clip or file is taken for when nothing better is known. */
const MEDIA_TOKENS = 512;

export interface RequestContext {
  readonly id: string;
  readonly arrivedAtMs: number;
  /** The policy's sources of the session key, in order: `header:NAME` or `body:FIELD`. */
  readonly sessionKeys: readonly string[];
  readonly sessionHashKey: string;
  /** Tokens of a text of so many bytes as sent; short pieces count in UTF-16 code units. */
  readonly estimateTokens: (units: number) => number;
}

/** What the scheduler needs of a parsed request: prompt text becomes hashes, the session key a keyed hash. */
export function readInferenceRequest(parsed: ParsedRequest, context: RequestContext): InferenceRequest {
  const length = promptLength(parsed, context.estimateTokens);
  const sessionKey = parsed.sessionKey(context.sessionKeys);
  return {
    id: context.id,
    model: parsed.loraPath ?? parsed.model,
    arrivedAtMs: context.arrivedAtMs,
    sessionKey: sessionKey === null ? null : hashSession(sessionKey, context.sessionHashKey),
    promptTokens: length.tokens,
    promptTokensExact: length.isExact,
    maxOutputTokens: parsed.maxOutputTokens,
    isStreaming: parsed.isStreaming,
    prefix: prefixOf(parsed),
  };
}

/** Several prompts of one request share a replica; the first one decides what it may find cached. */
function prefixOf(parsed: ParsedRequest): PrefixBlocks {
  const [first] = parsed.prompts;
  if (first === undefined) return NO_PREFIX;
  return hashPrompt(first.parts, { adapter: parsed.loraPath, cacheSalt: parsed.cacheSalt });
}

function promptLength(
  parsed: ParsedRequest,
  estimateTokens: (units: number) => number,
): { tokens: number; isExact: boolean } {
  let ids = 0;
  let units = 0;
  let media = 0;
  for (const prompt of parsed.prompts) {
    media += prompt.mediaCount;
    for (const part of prompt.parts) {
      if (typeof part === "string") units += part.length;
      else if (isPromptBytes(part)) units += part.end - part.start;
      else ids += part.length;
    }
  }
  const isExact = units === 0 && media === 0 && ids > 0;
  const tokens = ids + (units > 0 ? estimateTokens(units) : 0) + media * MEDIA_TOKENS;
  return { tokens: Math.max(1, tokens), isExact };
}
