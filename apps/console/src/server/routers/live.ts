import { TRPCError, tracked } from "@trpc/server";
import { z } from "zod";
import { liveHub } from "#server/live/live.ts";
import { whileSignedIn } from "#server/live/while-signed-in.ts";
import { router, viewerProcedure } from "#server/trpc.ts";

export const liveRouter = router({
  /**
   * The one stream of a tab. Events are states, so a reconnect needs no history: it gets every topic's current
   * value first. `lastEventId` is taken for the protocol's sake and not read. Ends as unauthorized when the viewer's
   * session does.
   */
  events: viewerProcedure
    .input(z.object({ lastEventId: z.string().nullish() }).optional())
    .subscription(async function* ({ ctx, signal }) {
      let sequence = 0;
      const events = whileSignedIn(
        (open) => liveHub(ctx.db).follow(open),
        async () => (await ctx.freshViewer()) !== null,
        signal,
        () => new TRPCError({ code: "UNAUTHORIZED", message: "Your session has ended. Sign in again." }),
      );
      for await (const event of events) {
        sequence += 1;
        yield tracked(String(sequence), { sentAtMs: Date.now(), event });
      }
    }),
  /** The same values by plain request, for networks that hold back streams. */
  poll: viewerProcedure.query(async ({ ctx }) => {
    const events = await liveHub(ctx.db).poll();
    return { sentAtMs: Date.now(), events };
  }),
});
