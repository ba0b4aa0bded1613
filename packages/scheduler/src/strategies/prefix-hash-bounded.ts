import { z } from "zod";
import { LEFT_OUT, rankByTerms } from "../candidate.ts";
import { promptTokensOf } from "../prediction.ts";
import { type PrefixBlocks, tokensOfBlocks } from "../prefix-blocks.ts";
import { rendezvousOrder } from "../rendezvous.ts";
import { defineStrategy } from "../strategy.ts";

const HASHED_TOKENS = 256;

/**
 * The first 256 tokens decide the replica, unless it has more than 1.25 times the mean load: then the least loaded one
 * (SMG `prefix_hash`).
 */
export const prefixHashBounded = defineStrategy({
  type: "prefix-hash-bounded",
  title: "Prefix hash with bounded load",
  help: "The prompt's first 256 tokens decide the replica, unless that has more than its bound of the load.",
  terms: [
    { name: "in flight", unit: "requests", help: "Requests of this router in flight on the replica." },
    {
      name: "not hashed to",
      unit: "requests",
      help: "Set for replicas the hash does not name while it holds.",
    },
  ],
  params: z.object({
    loadFactor: z
      .number()
      .min(1)
      .max(100)
      .default(1.25)
      .describe("Multiple of the mean load up to which the hash decides."),
  }),
  build: ({ loadFactor }) => ({
    type: "prefix-hash-bounded",
    decide(input) {
      const views = input.candidates;
      const places = rendezvousOrder(prefixKey(input.request.prefix, promptTokensOf(input.request)), views);
      const total = views.reduce((sum, view) => sum + view.inFlight, 0);
      const first = views.find((view) => places.get(view.id) === 0);
      const isWithin = first !== undefined && first.inFlight <= (loadFactor * total) / views.length;
      const candidates = rankByTerms(input, (view) => [
        view.inFlight,
        isWithin && view !== first ? LEFT_OUT : 0,
      ]);
      return { kind: "ranked", candidates, reason: isWithin ? "prefix_match" : "shortest_wait" };
    },
  }),
});

function prefixKey(prefix: PrefixBlocks, promptTokens: number): string {
  let blocks = 0;
  while (blocks < prefix.count && tokensOfBlocks(prefix, blocks, promptTokens) < HASHED_TOKENS) blocks++;
  return blocks === 0 ? "" : `${prefix.hashes[2 * blocks - 2]}/${prefix.hashes[2 * blocks - 1]}`;
}
