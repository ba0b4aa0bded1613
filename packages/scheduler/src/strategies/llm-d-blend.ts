import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/** Score of a scorer that has nothing to say. */
const NEUTRAL = 0.5;

/**
 * The weighted blend of GIE and llm-d: prefix match 3, empty queue 2, free KV 2, and for cold prompts the replica that
 * got a cold prompt longest ago 2. Queue and KV are scraped gauges.
 */
export const llmDBlend = defineStrategy({
  type: "llm-d-blend",
  title: "llm-d blend",
  help: "Weighted sum of prefix match, empty queue, free KV and, for cold prompts, least recent use.",
  terms: [
    { name: "prefix", unit: "score", help: "Weight times the share of the prompt that is not cached." },
    {
      name: "queue",
      unit: "score",
      help: "Weight times the waiting queue's place between the shortest and the longest.",
    },
    { name: "kv", unit: "score", help: "Weight times KV occupancy." },
    {
      name: "recency",
      unit: "score",
      help: "For cold prompts: weight times how recently the replica was used.",
    },
  ],
  params: z.object({
    prefixWeight: z.number().min(0).default(3).describe("Weight of the prefix match."),
    queueWeight: z.number().min(0).default(2).describe("Weight of the empty queue."),
    kvWeight: z.number().min(0).default(2).describe("Weight of the free KV share."),
    recencyWeight: z.number().min(0).default(2).describe("Weight of least recent use for cold prompts."),
  }),
  build: ({ prefixWeight, queueWeight, kvWeight, recencyWeight }) => ({
    type: "llm-d-blend",
    decide(input) {
      const { candidates: views, signals } = input;
      const queues = views.map((view) => view.signals?.queueDepth ?? null).filter((queue) => queue !== null);
      const longest = Math.max(0, ...queues);
      const shortest = Math.min(longest, ...queues);
      const isCold = views.every((view) => matchedTokensOn(signals, view.slot) === 0);
      const byUse = views.map((view) => view.lastDispatch).sort((x, y) => x - y);
      const candidates = rankByTerms(input, (view, { promptTokens }) => {
        const hit = Math.min(1, matchedTokensOn(signals, view.slot) / promptTokens);
        const queue = view.signals?.queueDepth ?? null;
        const range = longest - shortest;
        const queueScore = queue === null ? NEUTRAL : range === 0 ? 1 : (longest - queue) / range;
        const kvScore = 1 - (view.signals?.kvOccupancy ?? NEUTRAL);
        const recency = byUse.indexOf(view.lastDispatch) / Math.max(1, views.length - 1);
        return [
          prefixWeight * (1 - hit),
          queueWeight * (1 - queueScore),
          kvWeight * (1 - kvScore),
          recencyWeight * (isCold ? recency : NEUTRAL),
        ];
      });
      return { kind: "ranked", candidates, reason: isCold ? "shortest_wait" : "prefix_match" };
    },
  }),
});
