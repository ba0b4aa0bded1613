import { expect, test } from "vitest";
import {
  dayOf,
  dropPartitions,
  ensurePartitions,
  ensurePartitionsAhead,
  listPartitions,
} from "./partitions.ts";
import { withTestDb } from "./testing.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

test("partitions are made ahead once, also when several routers make them together", async () => {
  await using store = await withTestDb();
  const handles = Array.from({ length: 4 }, () => store.open("evenkeel_router"));
  const made = await Promise.all(handles.map((db) => ensurePartitionsAhead(db, Date.UTC(2026, 10, 30), 3)));
  expect(made.reduce((sum, count) => sum + count)).toBe(25);
  expect((await listPartitions(store.db, "decisions")).map((partition) => partition.day)).toEqual([
    "2026-11-29",
    "2026-11-30",
    "2026-12-01",
    "2026-12-02",
    "2026-12-03",
  ]);
});

test("a partition holds exactly its day in UTC", async () => {
  await using store = await withTestDb();
  await ensurePartitions(store.db, "decisions", ["2026-03-29"]);
  const rows = await store.db.sql`
    select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'decisions_20260329'`;
  expect(rows[0]?.["bound"]).toBe("FOR VALUES FROM ('2026-03-29 00:00:00+00') TO ('2026-03-30 00:00:00+00')");
});

test("dropping removes whole days before a day and nothing else", async () => {
  await using store = await withTestDb();
  const router = store.open("evenkeel_router");
  await ensurePartitions(router, "decisions", ["2026-01-01", "2026-01-02", "2026-01-03"]);
  await ensurePartitions(router, "replica_snapshots", ["2026-01-01"]);
  expect(await dropPartitions(router, "decisions", "2026-01-03")).toEqual([
    "decisions_20260101",
    "decisions_20260102",
  ]);
  expect((await listPartitions(router, "decisions")).map((partition) => partition.day)).toEqual([
    "2026-01-03",
  ]);
  expect(await listPartitions(router, "replica_snapshots")).toHaveLength(1);
});

test("the present and the future cannot be dropped, and no other table has partitions", async () => {
  await using store = await withTestDb();
  const tomorrow = dayOf(Date.now() + 2 * DAY_MS);
  await expect(dropPartitions(store.db, "decisions", tomorrow)).rejects.toThrow("never dropped");
  await expect(store.db.sql`select evenkeel_ensure_partition('audit_entries', '2026-01-01')`).rejects.toThrow(
    "audit_entries has no partitions",
  );
  await expect(store.db.sql`select evenkeel_drop_partitions('audit_entries', '2026-01-01')`).rejects.toThrow(
    "audit_entries has no partitions",
  );
});
