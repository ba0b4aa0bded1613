import { expect, test } from "vitest";
import { insertDecisions } from "./decisions.ts";
import { LogHistogram } from "./log-histogram.ts";
import { DecisionSampler } from "./measure/sample-decisions.ts";
import type { ReplicaSnapshot } from "./replica-snapshot.ts";
import { insertReplicaSnapshots } from "./replica-snapshots.ts";
import { readReplicaTrends } from "./replica-trends.ts";
import { ROLLUP_LAG_MS, rollUp } from "./rollup.ts";
import { type TestDb, withTestDb } from "./testing.ts";

const START_MS = Date.UTC(2026, 9, 1, 10);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RANGE = { fromMs: START_MS, toMs: START_MS + 24 * HOUR_MS };

/** Decisions over 100 minutes, three a minute and replica or so. */
function decisions(seed = 1) {
  const sampler = new DecisionSampler({
    startMs: START_MS,
    ratePerSecond: 0.2,
    replicas: 4,
    models: 1,
    candidates: 4,
    seed,
  });
  return sampler.batch(1200);
}

function snapshot(takenAtMs: number, kvOccupancy: number | null): ReplicaSnapshot {
  return {
    takenAtMs,
    routerId: "router-1",
    replica: "r-000",
    state: "ready",
    inFlight: 1,
    running: 2,
    queueDepth: null,
    kvOccupancy,
    signalAgeMs: 10,
    ttftP50Ms: null,
    ttftP99Ms: null,
    itlP50Ms: null,
    hitRate: null,
    requests: 0,
    failures: 0,
  };
}

async function rollAll(store: TestDb, nowMs: number): Promise<number> {
  const db = store.open("evenkeel_router");
  let minutes = 0;
  for (;;) {
    const result = await rollUp(db, nowMs, 30);
    minutes += result.minutes;
    if (!result.isMore) return minutes;
  }
}

test("minutes and hours hold every decision, and their percentiles come from all values", async () => {
  await using store = await withTestDb();
  const records = decisions();
  await insertDecisions(store.db, records);
  await rollAll(store, START_MS + 3 * HOUR_MS);
  const routed = records.filter((record) => record.decision.kind === "routed");
  const exact = new LogHistogram();
  for (const { ttftMs } of routed) if (ttftMs !== null) exact.add(Math.fround(ttftMs));
  for (const table of ["replica_minutes", "replica_hours"] as const) {
    const trends = await readReplicaTrends(store.db, table, RANGE);
    expect(trends.reduce((sum, trend) => sum + trend.requests, 0)).toBe(routed.length);
    const merged = new LogHistogram();
    for (const trend of trends) merged.merge(trend.ttftMs);
    expect(merged.encode()).toEqual(exact.encode());
  }
  expect((await readReplicaTrends(store.db, "replica_hours", RANGE)).length).toBe(8);
});

test("means and peaks of gauges come from the snapshots, and what was never known stays null", async () => {
  await using store = await withTestDb();
  await insertReplicaSnapshots(store.db, [
    snapshot(START_MS, 0.2),
    snapshot(START_MS + 5000, 0.4),
    snapshot(START_MS + 10_000, null),
    snapshot(START_MS + MINUTE_MS, null),
  ]);
  await rollAll(store, START_MS + HOUR_MS);
  const [first, second] = await readReplicaTrends(store.db, "replica_minutes", RANGE);
  expect(first).toMatchObject({ requests: 0, snapshots: 3, running: { mean: 2, max: 2 } });
  expect(first?.kvOccupancy.mean).toBeCloseTo(0.3);
  expect(first?.kvOccupancy.max).toBeCloseTo(0.4);
  expect(first?.queueDepth).toEqual({ mean: null, max: null });
  expect(second?.kvOccupancy).toEqual({ mean: null, max: null });
});

test("rolling up in many small steps, again, and with records that came late, gives what one pass gives", async () => {
  await using inSteps = await withTestDb();
  await using atOnce = await withTestDb();
  const records = decisions(2);
  const late = records.filter((_, i) => i % 3 === 0);
  await insertDecisions(
    inSteps.db,
    records.filter((_, i) => i % 3 !== 0),
  );
  for (let minute = 7; minute < 110; minute += 20) await rollAll(inSteps, START_MS + minute * MINUTE_MS);
  await insertDecisions(inSteps.db, late);
  await rollAll(inSteps, START_MS + 3 * HOUR_MS);
  await insertDecisions(atOnce.db, records);
  await rollAll(atOnce, START_MS + 3 * HOUR_MS);
  const rows = (store: TestDb) => store.db.sql`
    select r.id, h.started_at, h.requests, h.failures, h.prompt_tokens, h.ttft_ms, h.held_ms, h.output_length
    from replica_hours h join replicas r on r.num = h.replica order by h.started_at, r.id`;
  expect(await rows(inSteps)).toEqual(await rows(atOnce));
});

test("the last minutes wait, because their requests may not have ended", async () => {
  await using store = await withTestDb();
  await insertDecisions(store.db, decisions());
  await rollAll(store, START_MS + 10 * MINUTE_MS);
  const trends = await readReplicaTrends(store.db, "replica_minutes", RANGE);
  expect(Math.max(...trends.map((trend) => trend.startedAtMs))).toBe(
    START_MS + 10 * MINUTE_MS - ROLLUP_LAG_MS - MINUTE_MS,
  );
});

test("processes that roll up at once do each minute once", async () => {
  await using store = await withTestDb();
  await insertDecisions(store.db, decisions());
  const handles = Array.from({ length: 3 }, () => store.open("evenkeel_router"));
  const results = await Promise.all(handles.map((db) => rollUp(db, START_MS + 3 * HOUR_MS)));
  expect(results.filter((result) => result.minutes > 0)).toHaveLength(1);
});
