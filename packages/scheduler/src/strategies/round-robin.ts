import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { defineStrategy } from "../strategy.ts";

/** Each replica in turn: first the one whose last dispatch is longest ago. Blind to load and caches. */
export const roundRobin = defineStrategy({
  type: "round-robin",
  title: "Round robin",
  help: "Each replica in turn, whatever its load and its caches.",
  terms: [{ name: "turn", unit: "turns", help: "Replicas that come before this one in the rotation." }],
  params: z.object({}),
  build: () => ({
    type: "round-robin",
    decide(input) {
      const dispatches = input.candidates.map((view) => view.lastDispatch).sort((x, y) => x - y);
      const turnOf = new Map<number, number>();
      dispatches.forEach((dispatch, turn) => {
        if (!turnOf.has(dispatch)) turnOf.set(dispatch, turn);
      });
      const candidates = rankByTerms(input, (view) => [turnOf.get(view.lastDispatch) ?? 0]);
      return { kind: "ranked", candidates, reason: "rotation" };
    },
  }),
});
