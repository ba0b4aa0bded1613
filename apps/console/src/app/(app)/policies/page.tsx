import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { PolicyPage } from "#components/policy/policy-page.tsx";
import { pageQueryClient, trpc } from "#trpc/server.ts";

export const metadata: Metadata = { title: "Policies" };

export default function PoliciesPage() {
  const queryClient = pageQueryClient();
  void queryClient.prefetchQuery(trpc.policies.live.queryOptions());
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <PolicyPage />
    </HydrationBoundary>
  );
}
