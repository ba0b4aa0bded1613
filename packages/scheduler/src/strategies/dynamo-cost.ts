import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

const BLOCK_TOKENS = 16;

/**
 * Dynamo's KV router: prefill blocks that would be active there, ours less what is cached among them, plus the blocks
 * that its requests hold with ours. Prefill blocks count until the first token; everything is the router's own count.
 */
export const dynamoCost = defineStrategy({
  type: "dynamo-cost",
  title: "Dynamo cost",
  help: "Prefill blocks pending plus KV blocks held, ours in both; cached blocks are credited.",
  terms: [
    { name: "prefill blocks", unit: "score", help: "Uncached blocks prefilling there, and ours." },
    { name: "active blocks", unit: "score", help: "Blocks of every request there, and ours." },
  ],
  params: z.object({
    prefillScale: z.number().min(0).default(1).describe("Weight of prefill blocks against held ones."),
    overlapCredit: z.number().min(0).max(1).default(1).describe("Share of a cached block that is credited."),
  }),
  build: ({ prefillScale, overlapCredit }) => ({
    type: "dynamo-cost",
    decide(input) {
      const candidates = rankByTerms(input, (view, { promptTokens }) => {
        const ours = Math.ceil(promptTokens / BLOCK_TOKENS);
        const hit = Math.floor(matchedTokensOn(input.signals, view.slot) / BLOCK_TOKENS);
        const pending = view.prefillingTokens / BLOCK_TOKENS;
        const held = (view.contextTokens + view.prefillingPromptTokens) / BLOCK_TOKENS;
        return [prefillScale * Math.max(0, pending + ours - overlapCredit * hit), held + ours];
      });
      return { kind: "ranked", candidates, reason: "shortest_wait" };
    },
  }),
});
