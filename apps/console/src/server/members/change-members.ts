import { type Actor, insertAuditEntry } from "@evenkeel/db/audit-entries";
import type { Db } from "@evenkeel/db/connect";
import type { Role } from "#server/role.ts";
import { type Invitation, type Tx, writeInvitation } from "./invitation.ts";
import type { MemberRefusal } from "./member.ts";

export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly why: MemberRefusal };

interface NewMember {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

interface Known {
  readonly email: string;
  readonly role: string;
}

/** Adds a member without a password; who holds the invitation's link sets it. */
export function addMember(db: Db, member: NewMember, actor: Actor): Promise<Outcome<Invitation>> {
  return alone(db, async (tx) => {
    const email = member.email.toLowerCase();
    const [taken] = await tx`select from auth_users where email = ${email}`;
    if (taken !== undefined) return refused("email_taken");
    const id = crypto.randomUUID();
    await tx`insert into auth_users (id, name, email, role) values (${id}, ${member.name}, ${email}, ${member.role})`;
    await insertAuditEntry(tx, {
      actor,
      action: "member.add",
      object: `member/${email}`,
      diff: [{ path: ["role"], kind: "added", after: member.role }],
      reason: `Invited as ${member.role}`,
    });
    return done(await writeInvitation(tx, id, Date.now()));
  });
}

/** A new link for someone who lost theirs, or their password. The old password ends when it is taken up. */
export function inviteAgain(db: Db, userId: string, actor: Actor): Promise<Outcome<Invitation>> {
  return alone(db, async (tx) => {
    const known = await find(tx, userId);
    if (known === null) return refused("unknown_member");
    await insertAuditEntry(tx, {
      actor,
      action: "member.invite",
      object: `member/${known.email}`,
      diff: [],
      reason: "A new link to set a password",
    });
    return done(await writeInvitation(tx, userId, Date.now()));
  });
}

/** Gives a member another role. The last admin stays one. */
export function changeRole(
  db: Db,
  change: { userId: string; role: Role },
  actor: Actor,
): Promise<Outcome<null>> {
  return alone(db, async (tx) => {
    const known = await find(tx, change.userId);
    if (known === null) return refused("unknown_member");
    if (known.role === change.role) return done(null);
    if (change.role !== "admin" && (await isLastAdmin(tx, change.userId))) return refused("last_admin");
    await tx`update auth_users set role = ${change.role}, updated_at = now() where id = ${change.userId}`;
    await insertAuditEntry(tx, {
      actor,
      action: "member.role",
      object: `member/${known.email}`,
      diff: [{ path: ["role"], kind: "changed", before: known.role, after: change.role }],
      reason: `From ${known.role} to ${change.role}`,
    });
    return done(null);
  });
}

/** Removes a member with all their sessions. The last admin stays. */
export function removeMember(db: Db, userId: string, actor: Actor): Promise<Outcome<null>> {
  return alone(db, async (tx) => {
    const known = await find(tx, userId);
    if (known === null) return refused("unknown_member");
    if (await isLastAdmin(tx, userId)) return refused("last_admin");
    await tx`delete from auth_verifications where identifier = ${`invite:${userId}`}`;
    await tx`delete from auth_users where id = ${userId}`;
    await insertAuditEntry(tx, {
      actor,
      action: "member.remove",
      object: `member/${known.email}`,
      diff: [{ path: ["role"], kind: "removed", before: known.role }],
      reason: "Removed from the console",
    });
    return done(null);
  });
}

/** One change of members at a time: two admins demoting each other would leave none. */
function alone<T>(db: Db, change: (tx: Tx) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  // postgres.js types the result of a transaction as an unwrapped promise array; ours is a single outcome.
  return db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('evenkeel.members'))`;
    return change(tx);
  }) as Promise<Outcome<T>>;
}

async function find(tx: Tx, userId: string): Promise<Known | null> {
  const [row] = await tx<Known[]>`select email, role from auth_users where id = ${userId}`;
  return row ?? null;
}

async function isLastAdmin(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx<{ others: number }[]>`
    select count(*)::int as others from auth_users u where u.role = 'admin' and u.id <> ${userId}
      and exists (select from auth_accounts a where a.user_id = u.id)`;
  const [self] = await tx`select from auth_users where id = ${userId} and role = 'admin'`;
  return self !== undefined && (row?.others ?? 0) === 0;
}

function done<T>(value: T): Outcome<T> {
  return { kind: "done", value };
}

function refused(why: MemberRefusal): { readonly kind: "refused"; readonly why: MemberRefusal } {
  return { kind: "refused", why };
}
