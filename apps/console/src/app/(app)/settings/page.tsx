import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { SettingsPage } from "#components/settings/settings-page.tsx";
import { pageContext, pageQueryClient, prefetch, trpc } from "#trpc/server.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function Settings() {
  await prefetch(async (client) => {
    const viewer = await (await pageContext()).viewer();
    if (viewer?.role === "admin") await client.prefetchQuery(trpc.members.list.queryOptions());
  });
  return (
    <HydrationBoundary state={dehydrate(pageQueryClient())}>
      <SettingsPage />
    </HydrationBoundary>
  );
}
