import { z } from "zod";
import { LEFT_OUT, rankByTerms } from "../candidate.ts";
import type { ReplicaView } from "../fleet-snapshot.ts";
import { promptTokensOf } from "../prediction.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/**
 * llm-d's "sticky until saturated": only replicas that hold at least 0.8 of the prompt, if there are any, until the best
 * of them would answer 18 s later than the best other; among those eligible, the fewest uncached tokens in flight with
 * ours added. Tokens leave the count with the first streamed one.
 */
export const llmDSticky = defineStrategy({
  type: "llm-d-sticky",
  title: "llm-d sticky until saturated",
  help: "Replicas that hold most of the prompt until they are saturated; among them the fewest uncached tokens in flight.",
  terms: [
    { name: "uncached in flight", unit: "tokens", help: "Uncached tokens prefilling there, and ours." },
    { name: "not sticky", unit: "tokens", help: "Set for replicas outside the gate." },
  ],
  params: z.object({
    minHit: z
      .number()
      .min(0)
      .max(1)
      .default(0.8)
      .describe("Share of the prompt a replica must hold to be sticky."),
    maxPenaltyMs: z
      .number()
      .min(0)
      .default(18_000)
      .describe("How much later the best sticky replica may answer than the best other."),
    peakTokensPerSecond: z
      .number()
      .positive()
      .default(15_928)
      .describe("Prefill speed of one replica, for turning tokens in flight into time."),
  }),
  build: ({ minHit, maxPenaltyMs, peakTokensPerSecond }) => ({
    type: "llm-d-sticky",
    decide(input) {
      const { candidates: views, request, signals } = input;
      const promptTokens = promptTokensOf(request);
      const hitOf = (view: ReplicaView) => Math.min(1, matchedTokensOn(signals, view.slot) / promptTokens);
      const sticky = views.filter((view) => hitOf(view) >= minHit);
      const others = views.filter((view) => hitOf(view) < minHit);
      const penaltyMs = (1000 * (leastPending(sticky) - leastPending(others))) / peakTokensPerSecond;
      const isGateOpen = sticky.length === 0 || penaltyMs > maxPenaltyMs;
      const candidates = rankByTerms(input, (view) => [
        view.prefillingTokens + promptTokens * (1 - hitOf(view)),
        isGateOpen || hitOf(view) >= minHit ? 0 : LEFT_OUT,
      ]);
      return { kind: "ranked", candidates, reason: isGateOpen ? "shortest_wait" : "prefix_match" };
    },
  }),
});

function leastPending(views: readonly ReplicaView[]): number {
  return views.reduce((least, view) => Math.min(least, view.prefillingTokens), Number.POSITIVE_INFINITY);
}
