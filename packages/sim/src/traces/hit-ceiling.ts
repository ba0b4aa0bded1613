import type { TraceRequest } from "./trace-request.ts";

/**
 * Share of prompt tokens that one cache of unlimited size would serve: no fleet can hit more often. Requests before
 * `fromMs` fill the cache and are not counted. Null when no request has block ids.
 */
export function hitCeiling(requests: readonly TraceRequest[], fromMs: number): number | null {
  const seen = new Set<string>();
  let hasBlocks = false;
  let prompt = 0;
  let cached = 0;
  for (const { atMs, adapter, blockIds, blockTokens, promptTokens } of requests) {
    const full = Math.min(blockIds.length, Math.floor(promptTokens / blockTokens));
    let leading = 0;
    let isLeading = true;
    for (let i = 0; i < full; i += 1) {
      hasBlocks = true;
      const key = `${adapter ?? ""}/${blockIds[i]}`;
      if (seen.has(key)) leading += isLeading ? 1 : 0;
      else {
        isLeading = false;
        seen.add(key);
      }
    }
    if (atMs < fromMs) continue;
    prompt += promptTokens;
    cached += Math.min(leading * blockTokens, promptTokens - 1);
  }
  return hasBlocks && prompt > 0 ? cached / prompt : null;
}
