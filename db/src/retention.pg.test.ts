import { expect, test } from "vitest";
import { ensurePartitions, listPartitions } from "./partitions.ts";
import { enforceRetention, planRetention } from "./retention.ts";
import { type TestDb, withTestDb } from "./testing.ts";

const NOW_MS = Date.UTC(2026, 10, 10, 15);
const DAYS = {
  decisions: 3,
  replica_snapshots: 1,
  replica_minutes: 1,
  replica_hours: 400,
  decision_minutes: 400,
};

async function withNovember(): Promise<TestDb> {
  const store = await withTestDb();
  const days = [
    "2026-11-05",
    "2026-11-06",
    "2026-11-07",
    "2026-11-08",
    "2026-11-09",
    "2026-11-10",
    "2026-11-11",
  ];
  await ensurePartitions(store.db, "decisions", days);
  await ensurePartitions(store.db, "replica_snapshots", days);
  return store;
}

test("a dry run names what would go and how large the table will get, and drops nothing", async () => {
  await using store = await withNovember();
  const plans = await planRetention(store.open("evenkeel_console"), DAYS, NOW_MS);
  const decisions = plans.find((plan) => plan.table === "decisions");
  expect(decisions?.beforeDay).toBe("2026-11-07");
  expect(decisions?.drop.map((partition) => partition.day)).toEqual(["2026-11-05", "2026-11-06"]);
  expect(decisions?.bytesAfter).toBeLessThan(decisions?.bytes ?? 0);
  expect(decisions?.bytesForecast).toBe((decisions?.bytesPerDay ?? 0) * 4);
  expect(await listPartitions(store.db, "decisions")).toHaveLength(7);
});

test("each table keeps its own number of days, the present one and what is to come besides", async () => {
  await using store = await withNovember();
  const router = store.open("evenkeel_router");
  const results = await enforceRetention(router, DAYS, NOW_MS);
  expect(results.map(({ table, dropped }) => [table, dropped.length])).toEqual([
    ["decisions", 2],
    ["replica_snapshots", 4],
  ]);
  expect((await listPartitions(router, "decisions")).map((partition) => partition.day)).toEqual([
    "2026-11-07",
    "2026-11-08",
    "2026-11-09",
    "2026-11-10",
    "2026-11-11",
  ]);
  expect(await enforceRetention(router, DAYS, NOW_MS)).toEqual([]);
});

test("a table held by a long query is left for the next time, and the others are cleared", async () => {
  await using store = await withNovember();
  const reader = store.open("evenkeel_console");
  await reader.sql.begin(async (tx) => {
    await tx`select count(*) from decisions`;
    const results = await enforceRetention(store.db, DAYS, NOW_MS);
    expect(results[0]).toMatchObject({ table: "decisions", dropped: [], error: { code: "55P03" } });
    expect(results[1]?.dropped).toHaveLength(4);
  });
  expect((await enforceRetention(store.db, DAYS, NOW_MS))[0]?.dropped).toHaveLength(2);
});

test.each([0, -1, 1.5, Number.NaN, 1e9])("%s days are refused with the table named", async (days) => {
  await using store = await withTestDb();
  await expect(planRetention(store.db, { ...DAYS, decisions: days }, NOW_MS)).rejects.toMatchObject({
    code: "invalid_retention",
    message: expect.stringContaining("decisions"),
  });
});
