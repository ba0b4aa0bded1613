import { router, viewerProcedure } from "#server/trpc.ts";

export const shellRouter = router({
  /** Who is signed in. */
  me: viewerProcedure.query(({ ctx }) => ctx.viewer),
  /** Models that replicas of the fleet serve, for the filter of the top bar. */
  models: viewerProcedure.query(async ({ ctx }) => {
    const rows = await ctx.db.sql<{ model: string }[]>`
      select distinct model from replicas where removed_at is null and model is not null order by model limit 500`;
    return rows.map((row) => row.model);
  }),
});
