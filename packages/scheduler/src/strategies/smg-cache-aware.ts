import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { promptTokensOf } from "../prediction.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/**
 * SMG `cache_aware`: when loads differ by more than 64 requests and by more than half, the least loaded replica; else
 * the longest match when it covers more than 0.3 of the prompt; else the replica with the least in its tree.
 */
export const smgCacheAware = defineStrategy({
  type: "smg-cache-aware",
  title: "SMG cache-aware",
  help: "Longest prefix match, or the smallest cache on a miss; drops all affinity while the load is out of balance.",
  terms: [
    { name: "in flight", unit: "score", help: "Decides alone while the load is out of balance." },
    { name: "uncached tokens", unit: "score", help: "Decides on a match." },
    { name: "tree tokens", unit: "score", help: "Tokens remembered for the replica; decides on a miss." },
  ],
  params: z.object({
    cacheThreshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.3)
      .describe("Share of the prompt from which a match counts."),
    balanceAbs: z
      .number()
      .int()
      .min(0)
      .default(64)
      .describe("Difference in requests from which the load may be out of balance."),
    balanceRel: z
      .number()
      .min(1)
      .default(1.5)
      .describe("Ratio of most to least requests from which it is, on top of that."),
  }),
  build: ({ cacheThreshold, balanceAbs, balanceRel }) => ({
    type: "smg-cache-aware",
    decide(input) {
      const { candidates: views, request, signals } = input;
      const loads = views.map((view) => view.inFlight);
      const most = Math.max(...loads);
      const least = Math.min(...loads);
      const isImbalanced = most - least > balanceAbs && most > balanceRel * least;
      const longest = Math.max(...views.map((view) => matchedTokensOn(signals, view.slot)));
      const isMatch = !isImbalanced && longest / promptTokensOf(request) > cacheThreshold;
      const candidates = rankByTerms(input, (view, { promptTokens }) => {
        if (isImbalanced) return [view.inFlight, 0, 0];
        if (isMatch) return [0, Math.max(0, promptTokens - matchedTokensOn(signals, view.slot)), 0];
        return [0, 0, view.indexedTokens];
      });
      return { kind: "ranked", candidates, reason: isMatch ? "prefix_match" : "shortest_wait" };
    },
  }),
});
