import postgres from "postgres";
import { expect, test } from "vitest";
import { openDb } from "./connect.ts";
import { migrateDatabase, schemaStatus } from "./migrate.ts";
import { canActAs, serverVersion } from "./roles.ts";
import { databaseUrl, testServerUrl, withEmptyDb, withTestDb } from "./testing.ts";

test("a second migration changes nothing", async () => {
  await using empty = await withEmptyDb();
  expect(await schemaStatus(empty.db.sql)).toBe("behind");
  const first = await migrateDatabase(empty.url);
  const second = await migrateDatabase(empty.url);
  expect(first.applied).toBeGreaterThan(0);
  expect(second).toEqual({ applied: 0, roles: { enforced: true } });
  expect(await schemaStatus(empty.db.sql)).toBe("current");
});

test("programs that start together on an empty database all succeed and migrate it once", async () => {
  await using empty = await withEmptyDb();
  const results = await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(empty.url)));
  expect(results.filter((result) => result.applied > 0)).toHaveLength(1);
});

test("two databases of one server can be migrated at once, though they share the roles", async () => {
  await using first = await withEmptyDb();
  await using second = await withEmptyDb();
  const results = await Promise.all([migrateDatabase(first.url), migrateDatabase(second.url)]);
  expect(results.map((result) => result.roles)).toEqual([{ enforced: true }, { enforced: true }]);
});

test("a database of a newer release is refused and left alone", async () => {
  await using store = await withTestDb();
  await store.db.sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', ${String(Date.UTC(2100, 0))})`;
  await expect(migrateDatabase(store.url)).rejects.toMatchObject({
    code: "database_newer",
    message: expect.stringContaining("a newer release migrated it"),
  });
  expect(await schemaStatus(store.db.sql)).toBe("newer");
});

test("a migration that fails leaves the database as it was, and says why", async () => {
  await using other = await withEmptyDb();
  await other.db.sql`create table decisions (of_somebody_else int)`;
  await expect(migrateDatabase(other.url)).rejects.toMatchObject({
    code: "migration_failed",
    message: expect.stringContaining('"decisions" already exists'),
  });
  const tables = await other.db.sql`select tablename as name from pg_tables where schemaname = 'public'`;
  expect(tables).toEqual([{ name: "decisions" }]);
});

/** A login without superuser rights, and a database for it. */
async function withOwner(rights: string, owns: boolean) {
  const server = testServerUrl();
  const user = `owner_${Math.random().toString(36).slice(2, 10)}`;
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create role ${user} login password 'secret' ${rights}`);
  await admin.unsafe(`create database ${user} ${owns ? `owner ${user}` : ""}`);
  const url = new URL(databaseUrl(server, user));
  url.username = user;
  url.password = "secret";
  return {
    url: url.href,
    user,
    [Symbol.asyncDispose]: async () => {
      await admin.unsafe(`drop database ${user} with (force)`);
      await admin.unsafe(`drop role ${user}`);
      await admin.end();
    },
  };
}

test("an owner who is admin of the roles, as their maker is, has them enforced without superuser rights", async () => {
  await using made = await withTestDb();
  await using owner = await withOwner("createrole", true);
  await made.db.sql.unsafe(`grant evenkeel_router, evenkeel_console to ${owner.user} with admin option`);
  if ((await serverVersion(made.db.sql)) >= 160000) {
    await made.db.sql.unsafe(
      `grant evenkeel_router, evenkeel_console to ${owner.user} with set false, inherit false`,
    );
  }
  expect((await migrateDatabase(owner.url)).roles).toEqual({ enforced: true });
  const console_ = openDb({ url: owner.url, role: "evenkeel_console" });
  expect(await console_.sql`select current_user as role`).toEqual([{ role: "evenkeel_console" }]);
  await expect(console_.sql`delete from decisions`).rejects.toMatchObject({ code: "42501" });
  await console_.close();
});

test("an owner who may not make roles still gets the schema, and is told how to have the roles", async () => {
  await using owner = await withOwner("", true);
  const result = await migrateDatabase(owner.url);
  expect(result.applied).toBeGreaterThan(0);
  expect(result.roles).toEqual({
    enforced: false,
    reason: expect.stringContaining(owner.user),
  });
  const db = openDb({ url: owner.url });
  expect(await canActAs(db.sql, "evenkeel_router")).toBe(false);
  await db.close();
});

test("a user who may not create tables is told what right it lacks", async () => {
  await using guest = await withOwner("", false);
  await expect(migrateDatabase(guest.url)).rejects.toMatchObject({
    code: "database_rights",
    message: expect.stringContaining("OWNER TO"),
  });
});
