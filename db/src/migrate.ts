import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { z } from "zod";
import { clientOptions } from "./connect.ts";
import { DbError } from "./db-error.ts";
import { ensureRoles, type RoleStatus } from "./roles.ts";

const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));
const OLDEST_SERVER = 150000;

export interface MigrationResult {
  /** Migrations applied by this call. */
  readonly applied: number;
  readonly roles: RoleStatus;
}

/**
 * Brings a database to this release's schema and gives the roles their rights. Idempotent; programs that start at the
 * same time wait for each other. All migrations of one call are one transaction: a failure leaves the schema as it was.
 * @param url of the user who owns (or shall own) the tables; see docs/store.md for the rights it needs.
 * @throws DbError database_newer | database_rights | database_unsupported | migration_failed
 */
export async function migrateDatabase(url: string): Promise<MigrationResult> {
  const lock = postgres(url, {
    ...clientOptions({ url, applicationName: "evenkeel migrate" }),
    max: 1,
    max_lifetime: null,
  });
  try {
    await requireServer(lock);
    await lock`select pg_advisory_lock(hashtext('evenkeel_migrate'))`;
    const before = await appliedMigrations(lock);
    await requireNotNewer(before);
    await run(url);
    const after = await appliedMigrations(lock);
    return { applied: after.length - before.length, roles: await ensureRoles(lock) };
  } finally {
    // The session holds the lock: its end gives it back, whatever happened.
    await lock.end({ timeout: 5 });
  }
}

export type SchemaStatus = "current" | "behind" | "newer";

/** How a database's schema compares to this release's, for programs that start without the right to change it. */
export async function schemaStatus(sql: postgres.Sql): Promise<SchemaStatus> {
  const applied = await appliedMigrations(sql);
  const known = await knownMigrations();
  const newest = Math.max(0, ...applied);
  const last = known.at(-1)?.when ?? 0;
  if (newest > last) return "newer";
  return newest < last ? "behind" : "current";
}

/** Applies what is missing through Drizzle's migrator, which alters its client and so gets one of its own. */
async function run(url: string): Promise<void> {
  const client = postgres(url, { ...clientOptions({ url, applicationName: "evenkeel migrate" }), max: 1 });
  try {
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
  } catch (error) {
    throw rightsError(error) ?? failedMigration(error) ?? error;
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Creation times of the applied migrations, as Drizzle keeps them. */
async function appliedMigrations(sql: postgres.Sql): Promise<number[]> {
  const tables = await sql<{ found: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as found`;
  if (!tables[0]?.found) return [];
  try {
    const rows = await sql<{ created_at: string }[]>`select created_at from drizzle.__drizzle_migrations`;
    return rows.map((row) => Number(row.created_at));
  } catch (error) {
    throw rightsError(error) ?? error;
  }
}

const journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

async function knownMigrations(): Promise<{ when: number; tag: string }[]> {
  return journal.parse(JSON.parse(await readFile(`${MIGRATIONS}/meta/_journal.json`, "utf8"))).entries;
}

async function requireNotNewer(applied: readonly number[]): Promise<void> {
  const known = await knownMigrations();
  const last = known.at(-1)?.when ?? 0;
  if (Math.max(0, ...applied) <= last) return;
  throw new DbError(
    "database_newer",
    `The database has ${applied.length} migrations, this release knows ${known.length}: a newer release migrated it. ` +
      "Start that release, or restore the backup taken before its migration. Nothing was changed.",
  );
}

async function requireServer(sql: postgres.Sql): Promise<void> {
  const rows = await sql<{ number: number; text: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`;
  const server = rows[0];
  if (server && server.number >= OLDEST_SERVER) return;
  throw new DbError(
    "database_unsupported",
    `Postgres ${server?.text} is too old: Evenkeel needs 15 or newer.`,
  );
}

/** Postgres refused a statement; losing the connection is another matter and stays what it is. */
function failedMigration(error: unknown): DbError | null {
  const cause = causeOf(error);
  if (!(cause instanceof postgres.PostgresError)) return null;
  return new DbError(
    "migration_failed",
    `A migration failed (${cause.message}). Nothing was changed. The database may hold tables that are not Evenkeel's: give it one of its own.`,
    { cause: error },
  );
}

/** Drizzle wraps the driver's error. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function rightsError(error: unknown): DbError | null {
  const cause = causeOf(error);
  if (!(cause instanceof Error && "code" in cause && cause.code === "42501")) return null;
  return new DbError(
    "database_rights",
    `The user of DATABASE_URL may not create Evenkeel's tables (${cause.message}). ` +
      "Make it the owner of the database: ALTER DATABASE name OWNER TO user.",
    { cause: error },
  );
}
