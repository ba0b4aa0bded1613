import { z } from "zod";
import { LEFT_OUT, rankByTerms, shuffled } from "../candidate.ts";
import { defineStrategy } from "../strategy.ts";

/**
 * Two replicas are drawn; the one with less load wins. Load is KV occupancy when both report it, else requests in
 * flight, as in SMG.
 */
export const powerOfTwo = defineStrategy({
  type: "power-of-two",
  title: "Power of two choices",
  help: "Of two replicas drawn at random, the one with less KV in use, or with fewer requests when that is not known.",
  terms: [
    { name: "load", unit: "score", help: "KV occupancy of the two drawn, or requests in flight." },
    { name: "not drawn", unit: "score", help: "Set for replicas that were not among the two." },
  ],
  params: z.object({}),
  build: () => ({
    type: "power-of-two",
    decide(input) {
      const drawn = shuffled(input.candidates, input.rng).slice(0, 2);
      const hasKv = drawn.every((view) => typeof view.signals?.kvOccupancy === "number");
      const candidates = rankByTerms(input, (view) => [
        hasKv ? (view.signals?.kvOccupancy ?? 1) : view.inFlight,
        drawn.includes(view) ? 0 : LEFT_OUT,
      ]);
      return { kind: "ranked", candidates, reason: "shortest_wait" };
    },
  }),
});
