import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { StoreAway } from "#components/store-away.tsx";
import { isStoreAway } from "#server/describe-failure.ts";
import { needsSetup } from "#server/first-admin.ts";
import { pageContext } from "#trpc/server.ts";
import { SignIn } from "./sign-in.tsx";

export const metadata: Metadata = { title: "Sign in" };

async function state(): Promise<"in" | "setup" | "out" | "away"> {
  try {
    const context = await pageContext();
    if ((await context.viewer()) !== null) return "in";
    return (await needsSetup(context.db)) ? "setup" : "out";
  } catch (error) {
    if (isStoreAway(error)) return "away";
    throw error;
  }
}

export default async function SignInPage() {
  const now = await state();
  if (now === "in") redirect("/fleet");
  if (now === "setup") redirect("/setup");
  if (now === "away") return <StoreAway />;
  return <SignIn />;
}
