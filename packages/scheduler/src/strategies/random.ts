import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { defineStrategy } from "../strategy.ts";

/** Any replica, all equally likely. */
export const random = defineStrategy({
  type: "random",
  title: "Random",
  help: "Any replica, all equally likely, whatever its load and its caches.",
  terms: [{ name: "draw", unit: "score", help: "Always 0: the order is drawn." }],
  params: z.object({}),
  build: () => ({
    type: "random",
    decide(input) {
      return { kind: "ranked", candidates: rankByTerms(input, () => [0]), reason: "rotation" };
    },
  }),
});
