"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import type { AppRouter } from "#server/routers/index.ts";
import { makeQueryClient } from "./query-client.ts";
import { announceSessionEnd } from "./session-end.ts";

const context = createTRPCContext<AppRouter>();

/** Options for `useQuery`, `useMutation`, `useSubscription`: `const trpc = useTRPC(); useQuery(trpc.policies.live.queryOptions())`. */
export const useTRPC = context.useTRPC;
export const useTRPCClient = context.useTRPCClient;

/** Stable reason of a failed call (`store_unavailable`, `forbidden`, …), null when the server was not reached. */
export function failureReason(error: unknown): string | null {
  if (!(error instanceof TRPCClientError)) return null;
  const reason: unknown = error.data?.reason;
  return typeof reason === "string" ? reason : null;
}

function onFailure(error: unknown): void {
  if (failureReason(error) === "unauthorized") announceSessionEnd();
}

/** Makes the server's procedures available below; one client per tab. */
export function TrpcProvider({ children }: { readonly children: ReactNode }) {
  const [queryClient] = useState(() => {
    const client = makeQueryClient();
    client.getQueryCache().config.onError = onFailure;
    client.getMutationCache().config.onError = onFailure;
    return client;
  });
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: (operation) => operation.type === "subscription",
          true: httpSubscriptionLink({ url: "/api/trpc", transformer: superjson }),
          false: httpBatchLink({ url: "/api/trpc", transformer: superjson, maxURLLength: 4_000 }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
