import { z } from "zod";
import { LEFT_OUT, rankByTerms } from "../candidate.ts";
import type { ReplicaView } from "../fleet-snapshot.ts";
import { promptTokensOf } from "../prediction.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/** Preble's own linear prefill model, milliseconds per uncached token. */
const PREFILL_MS_PER_TOKEN = 0.108;

/**
 * Preble's E2: a prompt of which more is cached than new exploits, choosing among the holders of its longest match;
 * otherwise it explores all replicas. Either way the least cost wins: load of the last three minutes, what the prefill
 * would push out, and the prefill itself. Its rebalancing of hot prefixes is not part of the choice.
 */
export const preble = defineStrategy({
  type: "preble",
  title: "Preble E2",
  help: "Exploits the longest match when more is cached than new, else explores; least load of the last three minutes wins.",
  terms: [
    {
      name: "recent load",
      unit: "ms",
      help: "Prefill and decode time sent there in the last three minutes.",
    },
    { name: "eviction", unit: "ms", help: "Prefill time of what ours would push out of the cache." },
    { name: "prefill", unit: "ms", help: "Prefill of the tokens that are not cached." },
    { name: "no match", unit: "ms", help: "Set for replicas without the longest match while exploiting." },
  ],
  params: z.object({}),
  build: () => ({
    type: "preble",
    decide(input) {
      const { candidates: views, request, signals, nowMs } = input;
      const longest = Math.max(...views.map((view) => matchedTokensOn(signals, view.slot)));
      const isExploiting = longest > promptTokensOf(request) - longest;
      const candidates = rankByTerms(input, (view, { promptTokens, stepMs }) => {
        const matched = matchedTokensOn(signals, view.slot);
        const uncached = Math.max(0, promptTokens - matched);
        const overflow = Math.min(uncached, view.indexedTokens + uncached - view.kvCapacityTokens);
        return [
          recentLoadMs(view, stepMs, nowMs),
          PREFILL_MS_PER_TOKEN * Math.max(0, overflow),
          PREFILL_MS_PER_TOKEN * uncached,
          isExploiting && matched < longest ? LEFT_OUT : 0,
        ];
      });
      return { kind: "ranked", candidates, reason: isExploiting ? "prefix_match" : "shortest_wait" };
    },
  }),
});

function recentLoadMs(view: ReplicaView, stepMs: number, nowMs: number): number {
  const recent = view.recent(nowMs);
  const decodeMs = view.segment.outputLengths.meanTokens * stepMs;
  return PREFILL_MS_PER_TOKEN * recent.uncachedTokens + recent.requests * decodeMs;
}
