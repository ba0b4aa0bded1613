import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { StoreAway } from "#components/store-away.tsx";
import { isStoreAway } from "#server/describe-failure.ts";
import { needsSetup } from "#server/first-admin.ts";
import { pageContext } from "#trpc/server.ts";
import { Setup } from "./setup.tsx";

export const metadata: Metadata = { title: "Set up" };

async function state(): Promise<"needed" | "done" | "away"> {
  try {
    return (await needsSetup((await pageContext()).db)) ? "needed" : "done";
  } catch (error) {
    if (isStoreAway(error)) return "away";
    throw error;
  }
}

export default async function SetupPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const now = await state();
  if (now === "done") redirect("/sign-in");
  if (now === "away") return <StoreAway />;
  const { token } = await searchParams;
  return <Setup token={typeof token === "string" ? token : ""} />;
}
