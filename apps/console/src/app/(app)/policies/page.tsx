import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { PolicyPage } from "#components/policy/policy-page.tsx";
import { pageQueryClient, prefetch, trpc } from "#trpc/server.ts";

export const metadata: Metadata = { title: "Policies" };

export default async function PoliciesPage() {
  await prefetch((client) => client.prefetchQuery(trpc.policies.live.queryOptions()));
  return (
    <HydrationBoundary state={dehydrate(pageQueryClient())}>
      <PolicyPage />
    </HydrationBoundary>
  );
}
