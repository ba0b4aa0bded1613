import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { readReplica } from "#server/fleet/read-replica.ts";
import { storableText } from "#server/storable-text.ts";
import { storableTimeMs } from "#server/storable-time.ts";
import { router, viewerProcedure } from "#server/trpc.ts";

/** The matrix itself is not here: it is bytes, from `/api/fleet/matrix`. */
export const fleetRouter = router({
  /** What the drawer says of one replica. */
  replica: viewerProcedure
    .input(z.object({ id: storableText.min(1).max(512), fromMs: storableTimeMs, toMs: storableTimeMs }))
    .query(async ({ ctx, input }) => {
      const detail = await readReplica(ctx.db, input.id, input);
      if (detail === null) {
        throw new TRPCError({
          code: "NOT_FOUND",
          message: `No router has ever reported a replica "${input.id}".`,
        });
      }
      return detail;
    }),
});
