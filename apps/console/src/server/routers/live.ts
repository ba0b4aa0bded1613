import { tracked } from "@trpc/server";
import { z } from "zod";
import { liveHub } from "#server/live/live.ts";
import { router, viewerProcedure } from "#server/trpc.ts";

export const liveRouter = router({
  /**
   * The one stream of a tab. Events are states, so a reconnect needs no history: it gets every topic's current
   * value first. `lastEventId` is taken for the protocol's sake and not read.
   */
  events: viewerProcedure
    .input(z.object({ lastEventId: z.string().nullish() }).optional())
    .subscription(async function* ({ ctx, signal }) {
      let sequence = 0;
      for await (const event of liveHub(ctx.db).follow(signal ?? new AbortController().signal)) {
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
