import type postgres from "postgres";
import { DATABASE_ROLES, type DatabaseRole } from "./connect.ts";

/** Whether Postgres itself keeps each program to its rights. */
export type RoleStatus =
  | { readonly enforced: true }
  /** The programs act with the rights of the URL's user; `reason` says why and what to do. */
  | { readonly enforced: false; readonly reason: string };

type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

/** Least rights of each role, by table. No role holds UPDATE or DELETE on what is append-only. */
const GRANTS: Readonly<Record<DatabaseRole, Readonly<Record<string, readonly Privilege[]>>>> = {
  evenkeel_router: {
    policy_revisions: ["SELECT"],
    policy_acks: ["SELECT", "INSERT"],
    api_keys: ["SELECT"],
    audit_entries: ["INSERT"],
    routers: ["SELECT", "INSERT", "UPDATE"],
    replicas: ["SELECT", "INSERT", "UPDATE"],
    decision_contexts: ["SELECT", "INSERT"],
    replica_sets: ["SELECT", "INSERT"],
    decisions: ["SELECT", "INSERT"],
    replica_snapshots: ["SELECT", "INSERT"],
    replica_minutes: ["SELECT", "INSERT", "UPDATE"],
    replica_hours: ["SELECT", "INSERT", "UPDATE"],
    decision_minutes: ["SELECT", "INSERT", "UPDATE"],
    rollup_progress: ["SELECT", "INSERT", "UPDATE"],
    late_minutes: ["SELECT", "INSERT", "DELETE"],
  },
  evenkeel_console: {
    policy_revisions: ["SELECT", "INSERT"],
    policy_acks: ["SELECT"],
    api_keys: ["SELECT", "INSERT", "UPDATE"],
    audit_entries: ["SELECT", "INSERT"],
    routers: ["SELECT"],
    replicas: ["SELECT"],
    decision_contexts: ["SELECT"],
    replica_sets: ["SELECT"],
    decisions: ["SELECT"],
    replica_snapshots: ["SELECT"],
    replica_minutes: ["SELECT"],
    replica_hours: ["SELECT"],
    decision_minutes: ["SELECT"],
    rollup_progress: ["SELECT"],
    late_minutes: ["SELECT"],
    auth_users: ["SELECT", "INSERT", "UPDATE", "DELETE"],
    auth_sessions: ["SELECT", "INSERT", "UPDATE", "DELETE"],
    auth_accounts: ["SELECT", "INSERT", "UPDATE", "DELETE"],
    auth_verifications: ["SELECT", "INSERT", "UPDATE", "DELETE"],
  },
};

const FUNCTIONS: Readonly<Record<DatabaseRole, readonly string[]>> = {
  evenkeel_router: ["evenkeel_ensure_partition(text, date)", "evenkeel_drop_partitions(text, date)"],
  evenkeel_console: [],
};

/** Raised by Postgres when the user may not do it. */
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Makes the roles, grants them to the current user so that it may act as either, and gives them their rights.
 * Idempotent; run it inside the migration's advisory lock. Without the right to make roles nothing is changed and the
 * status says so.
 */
export async function ensureRoles(sql: postgres.Sql): Promise<RoleStatus> {
  try {
    await sql.begin(async (tx) => {
      // Roles belong to the whole server: another database of it may be making them at this moment.
      await tx`select pg_advisory_xact_lock(hashtext('evenkeel_roles'))`;
      for (const role of DATABASE_ROLES) await ensureRole(tx, role);
      const tables = await existingTables(tx);
      for (const role of DATABASE_ROLES) await grantRights(tx, role, tables);
    });
    return { enforced: true };
  } catch (error) {
    if (!isInsufficientPrivilege(error)) throw error;
    return { enforced: false, reason: await howToEnforce(sql) };
  }
}

/**
 * Whether the current user may act as a role. Programs ask before they open a database with it: a server that could not
 * make the roles refuses such connections.
 */
export async function canActAs(sql: postgres.Sql, role: DatabaseRole): Promise<boolean> {
  const version = await serverVersion(sql);
  const rows = await sql<{ can: boolean }[]>`
    select coalesce((
      select pg_has_role(current_user, oid, ${membership(version)}) from pg_roles where rolname = ${role}), false) as can`;
  return rows[0]?.can ?? false;
}

/** From 16 on membership and the right to act as the role are two things. */
function membership(serverVersion: number): string {
  return serverVersion >= 160000 ? "SET" : "MEMBER";
}

async function ensureRole(tx: postgres.TransactionSql, role: DatabaseRole): Promise<void> {
  // Role changes of another database on this server can still collide with ours; what counts is that the role is there.
  await tx.unsafe(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then
        create role ${role} nologin;
      end if;
    exception when duplicate_object or unique_violation then null;
    end $$`);
  const version = await serverVersion(tx);
  const rows = await tx<{ can: boolean }[]>`
    select rolsuper or pg_has_role(current_user, ${role}, ${membership(version)}) as can
    from pg_roles where rolname = current_user`;
  if (rows[0]?.can) return;
  await tx.unsafe(`grant ${role} to current_user ${version >= 160000 ? "with inherit false, set true" : ""}`);
}

async function grantRights(
  tx: postgres.TransactionSql,
  role: DatabaseRole,
  tables: ReadonlySet<string>,
): Promise<void> {
  await tx.unsafe(`grant usage on schema public to ${role}`);
  for (const table of tables) {
    const wanted = GRANTS[role][table] ?? [];
    await tx.unsafe(`revoke all on public.${table} from ${role}`);
    if (wanted.length > 0) await tx.unsafe(`grant ${wanted.join(", ")} on public.${table} to ${role}`);
  }
  for (const name of FUNCTIONS[role]) await tx.unsafe(`grant execute on function public.${name} to ${role}`);
}

/** Our own tables, partitions left out: rights are checked on the table that is named. */
async function existingTables(tx: postgres.TransactionSql): Promise<ReadonlySet<string>> {
  const ours = [...new Set(DATABASE_ROLES.flatMap((role) => Object.keys(GRANTS[role])))];
  const rows = await tx<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename = any(${ours}::text[])`;
  return new Set(rows.map((row) => row.name));
}

/** As `180004`; 0 when the server does not say. */
export async function serverVersion(sql: postgres.Sql | postgres.TransactionSql): Promise<number> {
  const rows = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  return rows[0]?.version ?? 0;
}

function isInsufficientPrivilege(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === INSUFFICIENT_PRIVILEGE;
}

async function howToEnforce(sql: postgres.Sql): Promise<string> {
  const rows = await sql<{ user: string }[]>`select current_user as user`;
  const user = rows[0]?.user ?? "the database user";
  const roles = DATABASE_ROLES.join(", ");
  return (
    `${user} may neither make the roles ${roles} nor take part in them, so router and console act with its own rights. ` +
    `To have Postgres enforce theirs, let a superuser run: ALTER ROLE "${user}" CREATEROLE; or, where the roles exist, ` +
    `GRANT ${roles} TO "${user}" WITH ADMIN OPTION; and start again.`
  );
}
