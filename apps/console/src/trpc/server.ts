import "server-only";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache } from "react";
import { requestContext } from "#server/request-context.ts";
import { appRouter } from "#server/routers/index.ts";
import { makeQueryClient } from "./query-client.ts";

/** Query client of the page being rendered. */
export const pageQueryClient = cache(makeQueryClient);

/** Who asks for the page being rendered. */
export const pageContext = cache(async () => requestContext(new Headers(await headers())));

/** The procedures, callable while rendering: `void pageQueryClient().prefetchQuery(trpc.x.queryOptions())`. */
export const trpc = createTRPCOptionsProxy({
  ctx: pageContext,
  router: appRouter,
  queryClient: pageQueryClient,
});
