import { decisionIdTimeMs, isDecisionId } from "@evenkeel/db/decision-id";
import { readDecisions } from "@evenkeel/db/read-decisions";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { compareReasons, countByReason } from "#server/decisions/count-decisions.ts";
import { decisionFacets } from "#server/decisions/decision-facets.ts";
import { decisionFilter } from "#server/decisions/decision-filter.ts";
import { listDecisions, newerDecisions } from "#server/decisions/list-decisions.ts";
import { MAX_TIME_MS } from "#server/storable-time.ts";
import { router, viewerProcedure } from "#server/trpc.ts";

const decisionIdText = z
  .string()
  .refine((text) => isDecisionId(text) && decisionIdTimeMs(text) <= MAX_TIME_MS, "not a decision id");
const limit = z.number().int().min(1).max(200);

export const decisionsRouter = router({
  /** A page of decisions, newest first. */
  list: viewerProcedure
    .input(z.object({ filter: decisionFilter, cursor: decisionIdText.nullish(), limit: limit.default(100) }))
    .query(({ ctx, input }) => listDecisions(ctx.db, input.filter, input.cursor ?? null, input.limit)),

  /** Decisions later than the newest one on screen. */
  newer: viewerProcedure
    .input(z.object({ filter: decisionFilter, since: decisionIdText.nullable(), limit: limit.default(200) }))
    .query(({ ctx, input }) => newerDecisions(ctx.db, input.filter, input.since, input.limit)),

  /** Counts by time and reason, and how many match. */
  histogram: viewerProcedure
    .input(z.object({ filter: decisionFilter }))
    .query(({ ctx, input }) => countByReason(ctx.db, input.filter, Date.now())),

  /** Reasons of the chosen replica against its peers. */
  mix: viewerProcedure
    .input(z.object({ filter: decisionFilter }))
    .query(({ ctx, input }) => compareReasons(ctx.db, input.filter)),

  facets: viewerProcedure.query(({ ctx }) => decisionFacets(ctx.db)),

  /** Everything kept of one decision. */
  byId: viewerProcedure.input(z.object({ id: decisionIdText })).query(async ({ ctx, input }) => {
    const [stored] = await readDecisions(ctx.db, [input.id]);
    if (stored === undefined) {
      throw new TRPCError({
        code: "NOT_FOUND",
        message: `${input.id} is not stored: it was never written, or its day has been dropped by retention.`,
      });
    }
    return stored;
  }),
});
