import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { rendezvousOrder } from "../rendezvous.ts";
import { defineStrategy } from "../strategy.ts";

/**
 * Each session has its replica, by rendezvous hashing of the session key: when replicas come or go only their own
 * sessions move. Requests without a session go to the replica with the fewest in flight.
 */
export const consistentHash = defineStrategy({
  type: "consistent-hash",
  title: "Consistent hash",
  help: "A session always goes to the same replica, by a hash of its key; requests without a session go to the least busy.",
  terms: [
    {
      name: "place",
      unit: "turns",
      help: "Place in the session's own order of replicas, or requests in flight.",
    },
  ],
  params: z.object({}),
  build: () => ({
    type: "consistent-hash",
    decide(input) {
      const { sessionKey } = input.request;
      const places = sessionKey === null ? null : rendezvousOrder(sessionKey, input.candidates);
      const candidates = rankByTerms(input, (view) => [places?.get(view.id) ?? view.inFlight]);
      return { kind: "ranked", candidates, reason: sessionKey === null ? "shortest_wait" : "kept_pin" };
    },
  }),
});
