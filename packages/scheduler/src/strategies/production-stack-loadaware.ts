import { z } from "zod";
import { rankByTerms } from "../candidate.ts";
import { matchedTokensOn } from "../signals.ts";
import { defineStrategy } from "../strategy.ts";

/** vLLM production-stack `loadaware`: matched share less beta times how far the load is above the mean, relative to it. */
export const productionStackLoadaware = defineStrategy({
  type: "production-stack-loadaware",
  title: "Production-stack load-aware",
  help: "Matched share of the prompt against load relative to the mean.",
  terms: [
    { name: "uncached share", unit: "score", help: "Share of the prompt that does not match, 0 to 1." },
    {
      name: "relative load",
      unit: "score",
      help: "Beta times requests in flight above the mean, relative to it.",
    },
  ],
  params: z.object({
    beta: z.number().min(0).default(1).describe("Weight of the relative load against the matched share."),
  }),
  build: ({ beta }) => ({
    type: "production-stack-loadaware",
    decide(input) {
      const views = input.candidates;
      const mean = views.reduce((sum, view) => sum + view.inFlight, 0) / views.length;
      const candidates = rankByTerms(input, (view, { promptTokens }) => [
        1 - Math.min(1, matchedTokensOn(input.signals, view.slot) / promptTokens),
        (beta * (view.inFlight - mean)) / Math.max(1, mean),
      ]);
      return { kind: "ranked", candidates, reason: "prefix_match" };
    },
  }),
});
