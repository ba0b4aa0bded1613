import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { inject } from "vitest";
import { type DatabaseRole, type Db, openDb } from "./connect.ts";
import { migrateDatabase } from "./migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));

/** A database of a test's own, migrated, with nothing in it. */
export interface TestDb {
  readonly url: string;
  /** Open with all rights. */
  readonly db: Db;
  /** Another handle on the same database, closed with it. */
  open(role?: DatabaseRole): Db;
  /** Refuses every connection, as if the server were gone for this database's clients; the result ends it. */
  takeOffline(): Promise<() => Promise<void>>;
  /** Closes every handle and drops the database. */
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Clones a migrated template database, which takes some ten milliseconds; the first call of a server makes the template. */
export async function withTestDb(): Promise<TestDb> {
  const server = testServerUrl();
  readyTemplate ??= makeTemplate(server);
  const template = await readyTemplate;
  const name = `test_${randomBytes(6).toString("hex")}`;
  await admin(server, async (sql) => {
    await sql.unsafe(`select pg_advisory_lock_shared(${TEMPLATE_LOCK})`);
    await sql.unsafe(`create database ${name} template ${template}`);
  });
  return testDb(server, name);
}

/** An empty database, not migrated. */
export async function withEmptyDb(): Promise<TestDb> {
  const server = testServerUrl();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await admin(server, (sql) => sql.unsafe(`create database ${name}`));
  return testDb(server, name);
}

/** The superuser's URL of the test server: EVENKEEL_TEST_POSTGRES_URL, else the one the test run started. */
export function testServerUrl(): string {
  return process.env["EVENKEEL_TEST_POSTGRES_URL"] ?? inject("postgresUrl");
}

/** The same server and user, another database. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

function testDb(server: string, name: string): TestDb {
  const url = databaseUrl(server, name);
  const handles: Db[] = [];
  const open = (role?: DatabaseRole) => {
    const db = openDb({ url, role: role ?? null, applicationName: "evenkeel test", max: 4 });
    handles.push(db);
    return db;
  };
  const drop = async () => {
    await Promise.all(handles.map((handle) => handle.close()));
    await admin(server, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`));
  };
  const allowConnections = (isAllowed: boolean) =>
    admin(server, (sql) => sql.unsafe(`alter database ${name} with allow_connections ${isAllowed}`));
  const takeOffline = async () => {
    await allowConnections(false);
    await admin(
      server,
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`,
    );
    return () => allowConnections(true);
  };
  return { url, db: open(), open, takeOffline, drop, [Symbol.asyncDispose]: drop };
}

/** One lock of the server: exclusive to make a template, shared to clone it, as Postgres clones no database in use. */
const TEMPLATE_LOCK = "hashtext('evenkeel_template')";
let readyTemplate: Promise<string> | null = null;

/** Makes the template once per server and schema; test files run in processes of their own and meet here. */
async function makeTemplate(server: string): Promise<string> {
  const name = `evenkeel_template_${schemaFingerprint()}`;
  await admin(server, async (sql) => {
    await sql.unsafe(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    const rows = await sql`select from pg_database where datname = ${name}`;
    if (rows.length > 0) return;
    await sql.unsafe(`create database ${name}`);
    try {
      await migrateDatabase(databaseUrl(server, name));
    } catch (error) {
      await sql.unsafe(`drop database ${name} with (force)`);
      throw error;
    }
  });
  return name;
}

/** Changes with every change of a migration, so that a server kept between runs never serves an older schema. */
function schemaFingerprint(): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(MIGRATIONS).sort()) {
    if (file.endsWith(".sql")) hash.update(readFileSync(join(MIGRATIONS, file)));
  }
  hash.update(readFileSync(new URL("roles.ts", import.meta.url)));
  return hash.digest("hex").slice(0, 12);
}

async function admin(server: string, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  try {
    await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
