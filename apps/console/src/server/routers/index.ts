import { router } from "#server/trpc.ts";
import { decisionsRouter } from "./decisions.ts";
import { fleetRouter } from "./fleet.ts";
import { liveRouter } from "./live.ts";
import { membersRouter } from "./members.ts";
import { policiesRouter } from "./policies.ts";
import { setupRouter } from "./setup.ts";
import { shellRouter } from "./shell.ts";

export const appRouter = router({
  decisions: decisionsRouter,
  fleet: fleetRouter,
  live: liveRouter,
  members: membersRouter,
  policies: policiesRouter,
  setup: setupRouter,
  shell: shellRouter,
});

export type AppRouter = typeof appRouter;
