import { z } from "zod";
import { LEFT_OUT, rankByTerms, shuffled } from "../candidate.ts";
import type { ReplicaView } from "../fleet-snapshot.ts";
import { promptTokensOf } from "../prediction.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/** Fewest, share of the fleet, and most owners that are compared. */
const OWNERS = { least: 8, share: 0.05, most: 32 };
const SAMPLE = 2;
/** Pressure only orders owners that match equally, while it does not decide. */
const TIE_BREAK = 1e-6;

/**
 * sgl-router's cache-aware policy: replicas that match at least 1,024 tokens own the prefix; among the owners within
 * 1,024 uncached tokens of the best, a much lower prefill pressure moves the choice; without owners, the less loaded of
 * two drawn replicas.
 */
export const sglOwners = defineStrategy({
  type: "sgl-owners",
  title: "sgl-router owners",
  help: "The owner of the longest match, unless another owner about as good has much less prefill pending.",
  terms: [
    {
      name: "uncached tokens",
      unit: "tokens",
      help: "Prompt tokens the replica does not have; counts for owners.",
    },
    { name: "pressure", unit: "tokens", help: "Prefill tokens pending there, where that decides." },
    { name: "left out", unit: "tokens", help: "Set for replicas that do not compete." },
  ],
  params: z.object({
    minMatchTokens: z
      .number()
      .int()
      .min(1)
      .default(1024)
      .describe("Tokens a replica must match to own a prefix."),
    switchMarginTokens: z
      .number()
      .int()
      .min(0)
      .default(1024)
      .describe("Uncached tokens within which another owner is as good as the best."),
    pressureGapTokens: z
      .number()
      .int()
      .min(0)
      .default(1024)
      .describe("Pending prefill tokens less that move the choice."),
    pressureRatio: z.number().min(1).default(1.5).describe("And how many times less it must be."),
  }),
  build: (params) => ({
    type: "sgl-owners",
    decide(input) {
      const { candidates: views, request, signals } = input;
      const promptTokens = promptTokensOf(request);
      const uncached = (view: ReplicaView) => Math.max(0, promptTokens - matchedTokensOn(signals, view.slot));
      const keep = Math.min(OWNERS.most, Math.max(OWNERS.least, Math.ceil(OWNERS.share * views.length)));
      const owners = views
        .filter((view) => matchedTokensOn(signals, view.slot) >= params.minMatchTokens)
        .sort((x, y) => uncached(x) - uncached(y) || pending(x) - pending(y) || (x.id < y.id ? -1 : 1))
        .slice(0, keep);
      const best = owners[0];
      if (best === undefined) {
        const drawn = shuffled(views, input.rng).slice(0, SAMPLE);
        const candidates = rankByTerms(input, (view) => [
          0,
          view.inFlight,
          drawn.includes(view) ? 0 : LEFT_OUT,
        ]);
        return { kind: "ranked", candidates, reason: "shortest_wait" };
      }
      const peers = owners.filter((view) => uncached(view) <= uncached(best) + params.switchMarginTokens);
      const calmest = Math.min(...peers.map(pending));
      const isPressed =
        pending(best) - calmest > params.pressureGapTokens && pending(best) > params.pressureRatio * calmest;
      const competitors = isPressed ? peers : owners;
      const candidates = rankByTerms(input, (view) => [
        isPressed ? 0 : uncached(view),
        isPressed ? pending(view) : TIE_BREAK * pending(view),
        competitors.includes(view) ? 0 : LEFT_OUT,
      ]);
      return { kind: "ranked", candidates, reason: "prefix_match" };
    },
  }),
});

function pending(view: ReplicaView): number {
  return view.prefillingTokens;
}
