import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Shell } from "#components/shell/shell.tsx";
import { StoreAway } from "#components/store-away.tsx";
import type { Viewer } from "#server/context.ts";
import { isStoreAway } from "#server/describe-failure.ts";
import { environmentBand } from "#server/environment-band.ts";
import { needsSetup } from "#server/first-admin.ts";
import { readFirstDataMs } from "#server/live/first-data.ts";
import { pageContext } from "#trpc/server.ts";

export const dynamic = "force-dynamic";

type Gate =
  | { readonly kind: "in"; readonly viewer: Viewer; readonly firstDataAtMs: number | null }
  | { readonly kind: "setup" }
  | { readonly kind: "out" }
  | { readonly kind: "away" };

async function gate(): Promise<Gate> {
  try {
    const context = await pageContext();
    const viewer = await context.viewer();
    if (viewer !== null) return { kind: "in", viewer, firstDataAtMs: await readFirstDataMs(context.db) };
    return { kind: (await needsSetup(context.db)) ? "setup" : "out" };
  } catch (error) {
    if (isStoreAway(error)) return { kind: "away" };
    throw error;
  }
}

export default async function AppLayout({ children }: { readonly children: ReactNode }) {
  const entry = await gate();
  if (entry.kind === "setup") redirect("/setup");
  if (entry.kind === "out") redirect("/sign-in");
  if (entry.kind === "away") return <StoreAway />;
  return (
    <Shell
      viewer={entry.viewer}
      environment={environmentBand()}
      firstDataAtMs={entry.firstDataAtMs}
      readAtMs={Date.now()}
    >
      {children}
    </Shell>
  );
}
