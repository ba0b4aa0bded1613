import type { Metadata } from "next";
import { StoreAway } from "#components/store-away.tsx";
import { isStoreAway } from "#server/describe-failure.ts";
import { invitee } from "#server/members/invitation.ts";
import { pageContext } from "#trpc/server.ts";
import { Accept } from "./accept.tsx";

export const metadata: Metadata = { title: "Invitation" };

type State =
  | { readonly kind: "for"; readonly name: string }
  | { readonly kind: "over" }
  | { readonly kind: "away" };

async function state(token: string): Promise<State> {
  try {
    const found = await invitee((await pageContext()).db, token, Date.now());
    return found === null ? { kind: "over" } : { kind: "for", name: found.name };
  } catch (error) {
    if (isStoreAway(error)) return { kind: "away" };
    throw error;
  }
}

export default async function InvitePage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given.slice(0, 200) : "";
  const now = await state(token);
  if (now.kind === "away") return <StoreAway />;
  if (now.kind === "for") return <Accept token={token} name={now.name} />;
  return (
    <div className="rounded-md border bg-panel p-6">
      <h1 className="text-answer font-semibold tracking-tight">This link has been used or has expired.</h1>
      <p className="mt-1 text-muted">Ask an admin for a new one: Settings, Members, New link.</p>
    </div>
  );
}
