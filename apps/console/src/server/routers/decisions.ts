import { router } from "#server/trpc.ts";

export const decisionsRouter = router({});
