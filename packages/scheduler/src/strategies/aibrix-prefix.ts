import { z } from "zod";
import { LEFT_OUT, rankByTerms } from "../candidate.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/** A percent of match outweighs any difference in requests. */
const PER_PERCENT = 1e4;

/**
 * AIBrix `prefix-cache`: when running requests differ by more than 8, only the least loaded replicas; else by match,
 * ties by fewer requests, the first whose load is at most one standard deviation above the mean; none such: least
 * request.
 */
export const aibrixPrefix = defineStrategy({
  type: "aibrix-prefix",
  title: "AIBrix prefix cache",
  help: "Longest match among replicas that are not busier than the rest; the least busy while the load is out of balance.",
  terms: [
    {
      name: "uncached share",
      unit: "score",
      help: "Share of the prompt that does not match, in percent; decides while balanced.",
    },
    { name: "in flight", unit: "score", help: "Breaks ties, and decides alone while out of balance." },
    { name: "too busy", unit: "score", help: "Set for replicas outside the load limit." },
  ],
  params: z.object({
    imbalanceAbove: z
      .number()
      .int()
      .min(0)
      .default(8)
      .describe("Difference in running requests from which only the least loaded replicas are taken."),
    deviations: z
      .number()
      .min(0)
      .default(1)
      .describe("Standard deviations above the mean load up to which a match is taken."),
  }),
  build: ({ imbalanceAbove, deviations }) => ({
    type: "aibrix-prefix",
    decide(input) {
      const loads = input.candidates.map((view) => view.inFlight);
      const least = Math.min(...loads);
      const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
      const variance = loads.reduce((sum, load) => sum + (load - mean) ** 2, 0) / loads.length;
      const isImbalanced = Math.max(...loads) - least > imbalanceAbove;
      const limit = isImbalanced ? least : mean + deviations * Math.sqrt(variance);
      const candidates = rankByTerms(input, (view, { promptTokens }) => {
        const hit = Math.min(1, matchedTokensOn(input.signals, view.slot) / promptTokens);
        const missPercent = Math.round(100 * (1 - hit));
        return [
          isImbalanced ? 0 : PER_PERCENT * missPercent,
          view.inFlight,
          view.inFlight > limit ? LEFT_OUT : 0,
        ];
      });
      return { kind: "ranked", candidates, reason: isImbalanced ? "shortest_wait" : "prefix_match" };
    },
  }),
});
