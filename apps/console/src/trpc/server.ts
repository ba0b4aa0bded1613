import "server-only";
import type { QueryClient } from "@tanstack/react-query";
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

/** The procedures, callable while rendering: `await prefetch((client) => client.prefetchQuery(trpc.x.queryOptions()))`. */
export const trpc = createTRPCOptionsProxy({
  ctx: pageContext,
  router: appRouter,
  queryClient: pageQueryClient,
});

/**
 * Fetches for the page being rendered, so that it arrives with its data. What fails is left to the browser to fetch
 * again and to explain; a visitor who is not signed in is sent on by the layout.
 */
export async function prefetch(load: (queryClient: QueryClient) => Promise<void>): Promise<void> {
  try {
    if ((await (await pageContext()).viewer()) === null) return;
  } catch {
    return;
  }
  await load(pageQueryClient());
}
