import { router } from "#server/trpc.ts";

export const fleetRouter = router({});
