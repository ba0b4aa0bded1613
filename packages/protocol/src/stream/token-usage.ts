import { isJsonObject } from "../json/json-object.ts";

/** What an engine says it used; a count it does not give is null. */
export interface TokenUsage {
  readonly promptTokens: number | null;
  /** Prompt tokens served from the KV cache. */
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}

/** Reads a usage object by OpenAI's, the Responses API's or Anthropic's names; null when it is none of them. */
export function readUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const details = value["prompt_tokens_details"] ?? value["input_tokens_details"];
  const anthropicCached = count(value["cache_read_input_tokens"]);
  const input = count(value["prompt_tokens"]) ?? count(value["input_tokens"]);
  const usage = {
    // Anthropic counts cached and newly cached prompt tokens beside input_tokens, OpenAI within prompt_tokens.
    promptTokens:
      input === null
        ? null
        : input + (anthropicCached ?? 0) + (count(value["cache_creation_input_tokens"]) ?? 0),
    cachedTokens: (isJsonObject(details) ? count(details["cached_tokens"]) : null) ?? anthropicCached,
    outputTokens: count(value["completion_tokens"]) ?? count(value["output_tokens"]),
  };
  return usage.promptTokens === null && usage.outputTokens === null ? null : usage;
}

/** The later report, with what it leaves out taken from the earlier one. */
export function mergeUsage(earlier: TokenUsage | null, later: TokenUsage | null): TokenUsage | null {
  if (earlier === null || later === null) {
    return later ?? earlier;
  }
  return {
    promptTokens: later.promptTokens ?? earlier.promptTokens,
    cachedTokens: later.cachedTokens ?? earlier.cachedTokens,
    outputTokens: later.outputTokens ?? earlier.outputTokens,
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
