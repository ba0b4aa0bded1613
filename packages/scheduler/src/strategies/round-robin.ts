import { z } from "zod";
import { rank, toCandidate } from "../candidate.ts";
import { predict } from "../prediction.ts";
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
      const views = input.candidates;
      const dispatches = views.map((view) => view.lastDispatch).sort((x, y) => x - y);
      const turnOf = new Map<number, number>();
      dispatches.forEach((dispatch, turn) => {
        if (!turnOf.has(dispatch)) turnOf.set(dispatch, turn);
      });
      const rated = views.map((view) => {
        const turn = turnOf.get(view.lastDispatch) ?? 0;
        return toCandidate(
          view,
          { cost: turn, terms: [turn] },
          predict(view, input.request, input.signals, input.nowMs),
          input,
        );
      });
      return { kind: "ranked", candidates: rank(rated, input.rng), reason: "rotation" };
    },
  }),
});
