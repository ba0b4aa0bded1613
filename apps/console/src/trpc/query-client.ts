import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import superjson from "superjson";

/** Server and browser use the same settings, so that what the server fetched is taken over by the browser. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // A "no" stays a "no"; only failures of network and database are worth another try.
        retry: (count, error) => {
          const status = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
          return count < 2 && (typeof status !== "number" || status >= 500);
        },
        refetchOnWindowFocus: true,
      },
      dehydrate: {
        serializeData: superjson.serialize,
        shouldDehydrateQuery: (query) =>
          defaultShouldDehydrateQuery(query) || query.state.status === "pending",
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}
