import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { defineStrategy } from "../strategy.ts";

/**
 * LMetric (arXiv:2603.15202): pending prefill tokens, ours among them, times the batch size with us in it. No
 * parameters. Charges a long prefill by the streams that wait, whatever their age and whatever the replica's speed.
 */
export const lmetric = defineStrategy({
  type: "lmetric",
  title: "LMetric",
  help: "Prefill tokens that would be pending on the replica times the requests that would be there; lowest product wins.",
  terms: [
    { name: "tokens × requests", unit: "score", help: "Pending uncached prompt tokens times batch size." },
  ],
  params: z.object({}),
  build: () => ({
    type: "lmetric",
    decide(input) {
      const candidates = rankByTerms(input, (view, { uncachedTokens }) => [
        (view.prefillingTokens + uncachedTokens) * (view.inFlight + 1),
      ]);
      return { kind: "ranked", candidates, reason: "shortest_wait" };
    },
  }),
});
