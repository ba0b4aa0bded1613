import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { defineStrategy } from "../strategy.ts";

/** The replica with the fewest of our requests in flight; ties are drawn. Blind to caches and to prompt lengths. */
export const leastRequest = defineStrategy({
  type: "least-request",
  title: "Least request",
  help: "The replica with the fewest requests in flight from this router; ties are drawn.",
  terms: [{ name: "in flight", unit: "requests", help: "Requests of this router in flight on the replica." }],
  params: z.object({}),
  build: () => ({
    type: "least-request",
    decide(input) {
      return {
        kind: "ranked",
        candidates: rankByTerms(input, (view) => [view.inFlight]),
        reason: "shortest_wait",
      };
    },
  }),
});
