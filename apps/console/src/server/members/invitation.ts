import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@evenkeel/db/connect";
import { hashPassword } from "better-auth/crypto";

/** An open transaction. */
export type Tx = Parameters<Parameters<Db["sql"]["begin"]>[1]>[0];

const VALID_MS = 72 * 3_600_000;

export interface Invitation {
  /** Goes into the link; the database holds its hash only. */
  readonly token: string;
  readonly expiresAtMs: number;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Makes an invitation for a member and ends every earlier one. */
export async function writeInvitation(tx: Tx, userId: string, nowMs: number): Promise<Invitation> {
  const token = randomBytes(24).toString("base64url");
  const expiresAtMs = nowMs + VALID_MS;
  const identifier = `invite:${userId}`;
  await tx`delete from auth_verifications where identifier = ${identifier}`;
  await tx`
    insert into auth_verifications (id, identifier, value, expires_at)
    values (${crypto.randomUUID()}, ${identifier}, ${hashOf(token)}, ${new Date(expiresAtMs)})`;
  return { token, expiresAtMs };
}

/** Whom an invitation is for; null when it is not one, is used up or has expired. */
export async function invitee(
  db: Db,
  token: string,
  nowMs: number,
): Promise<{ name: string; email: string } | null> {
  const [row] = await db.sql<{ name: string; email: string }[]>`
    select u.name, u.email from auth_verifications v join auth_users u on v.identifier = 'invite:' || u.id
    where v.value = ${hashOf(token)} and v.expires_at > ${new Date(nowMs)}`;
  return row ?? null;
}

/** Takes up an invitation: the member gets this password and the invitation ends. Null when it is none any more. */
export async function acceptInvitation(
  db: Db,
  taken: { readonly token: string; readonly password: string },
  nowMs: number,
): Promise<{ readonly email: string } | null> {
  const password = await hashPassword(taken.password);
  return db.sql.begin(async (tx) => {
    // The row goes first: of two that take it up at once, one finds it gone.
    const [used] = await tx<{ user_id: string; email: string }[]>`
      delete from auth_verifications v using auth_users u
      where v.identifier = 'invite:' || u.id and v.value = ${hashOf(taken.token)} and v.expires_at > ${new Date(nowMs)}
      returning u.id as user_id, u.email`;
    if (used === undefined) return null;
    await tx`delete from auth_sessions where user_id = ${used.user_id}`;
    await tx`delete from auth_accounts where user_id = ${used.user_id} and provider_id = 'credential'`;
    await tx`
      insert into auth_accounts (id, account_id, provider_id, user_id, password)
      values (${crypto.randomUUID()}, ${used.user_id}, 'credential', ${used.user_id}, ${password})`;
    return { email: used.email };
  });
}
