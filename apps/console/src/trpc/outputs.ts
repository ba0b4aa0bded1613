import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/routers/index.ts";

/** What each procedure answers with: `Outputs["policies"]["live"]`. */
export type Outputs = inferRouterOutputs<AppRouter>;

/** A policy revision with its text. */
export type PolicyRevision = NonNullable<Outputs["policies"]["live"]>;
