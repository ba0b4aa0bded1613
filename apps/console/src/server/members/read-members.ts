import type { Db } from "@evenkeel/db/connect";
import { role } from "#server/role-schema.ts";
import type { Member } from "./member.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly created_at: Date;
  readonly last_seen: Date | null;
  readonly has_password: boolean;
  readonly invited_until: Date | null;
}

/** All members, by name. */
export async function readMembers(db: Db): Promise<readonly Member[]> {
  const rows = await db.sql<Row[]>`
    select u.id, u.name, u.email, u.role, u.created_at,
      (select max(s.updated_at) from auth_sessions s where s.user_id = u.id) as last_seen,
      exists (select from auth_accounts a where a.user_id = u.id) as has_password,
      (select max(v.expires_at) from auth_verifications v where v.identifier = 'invite:' || u.id) as invited_until
    from auth_users u order by lower(u.name), u.email`;
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    role: role.parse(row.role),
    addedAtMs: row.created_at.getTime(),
    lastSeenAtMs: row.last_seen?.getTime() ?? null,
    invitedUntilMs: row.has_password ? null : (row.invited_until?.getTime() ?? row.created_at.getTime()),
  }));
}
