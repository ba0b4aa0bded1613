import { expect, test } from "vitest";
import { ensurePartitionsAhead } from "./partitions.ts";
import { heartbeatRouter } from "./routers.ts";
import { withTestDb } from "./testing.ts";

const denied = { code: "42501" };

test("the router can read the policy and not write it", async () => {
  await using store = await withTestDb();
  const { sql } = store.open("evenkeel_router");
  expect(await sql`select * from policy_revisions`).toEqual([]);
  await expect(
    sql`insert into policy_revisions (revision, kind, document, source, author, reason) values (1, 'initial', '{}', '', 'x', 'x')`,
  ).rejects.toMatchObject(denied);
  await expect(sql`update policy_revisions set reason = 'other'`).rejects.toMatchObject(denied);
  await expect(sql`delete from policy_acks`).rejects.toMatchObject(denied);
});

test("the console can read decisions and not invent or change them", async () => {
  await using store = await withTestDb();
  const { sql } = store.open("evenkeel_console");
  expect(await sql`select * from decisions`).toEqual([]);
  await expect(
    sql`insert into decision_contexts (key, strategy, term_names, outcome, attempt_count, is_streaming, is_panic)
      values (gen_random_uuid(), 'x', '{}', 'completed', 1, true, false)`,
  ).rejects.toMatchObject(denied);
  await expect(sql`insert into decisions select * from decisions`).rejects.toMatchObject(denied);
  await expect(sql`update decisions set chosen = 1`).rejects.toMatchObject(denied);
  await expect(sql`delete from decisions`).rejects.toMatchObject(denied);
  await expect(sql`select evenkeel_drop_partitions('decisions', '2020-01-01')`).rejects.toMatchObject(denied);
});

test.each(["evenkeel_router", "evenkeel_console", undefined] as const)(
  "nobody can change or delete an audit entry or a revision: %s",
  async (role) => {
    await using store = await withTestDb();
    const { sql } = store.open(role);
    await sql`insert into audit_entries (actor, action, object, diff, reason, origin)
      values ('ada', 'policy.publish', 'policy/1', '[]', 'why', 'cli')`;
    await expect(sql`update audit_entries set actor = 'eve'`).rejects.toMatchObject(denied);
    await expect(sql`delete from audit_entries`).rejects.toMatchObject(denied);
    await expect(sql`truncate audit_entries`).rejects.toMatchObject(denied);
    await expect(sql`update policy_revisions set reason = 'other'`).rejects.toMatchObject(denied);
    await expect(sql`delete from policy_revisions`).rejects.toMatchObject(denied);
  },
);

test("the router can make partitions and say it is alive with its own rights alone", async () => {
  await using store = await withTestDb();
  const db = store.open("evenkeel_router");
  expect(await ensurePartitionsAhead(db, Date.UTC(2026, 0, 10), 2)).toBe(20);
  expect(await ensurePartitionsAhead(db, Date.UTC(2026, 0, 10), 2)).toBe(0);
  const beat = {
    id: "router-1",
    startedAtMs: 0,
    version: "1",
    host: "here",
    policyRevision: null,
    recordsQueued: 1,
    recordsSpooled: 2,
    recordsDropped: 3,
  };
  await heartbeatRouter(db, beat);
  await heartbeatRouter(db, { ...beat, policyRevision: 7 });
  expect(await db.sql`select id, policy_revision, records_dropped from routers`).toEqual([
    { id: "router-1", policy_revision: 7, records_dropped: "3" },
  ]);
  await expect(db.sql`create table mine (x int)`).rejects.toMatchObject(denied);
  await expect(db.sql`drop table decisions_20260110`).rejects.toMatchObject(denied);
});
