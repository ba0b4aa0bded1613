import type { ReplicaSnapshot } from "@evenkeel/db/replica-snapshot";
import { insertReplicaSnapshots } from "@evenkeel/db/replica-snapshots";
import { registerReplicas } from "@evenkeel/db/replicas";
import { heartbeatRouter } from "@evenkeel/db/routers";
import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { binsOfStep } from "#components/fleet-matrix/matrix-bins.ts";
import { matrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { decodeCell } from "#components/fleet-matrix/matrix-scale.ts";
import type { Matrix } from "#components/fleet-matrix/matrix-wire.ts";
import { readMatrix } from "./read-matrix.ts";
import { readReplica } from "./read-replica.ts";

const T0 = Date.now() - (Date.now() % 3_600_000) - 3_600_000;
const MINUTE = 60_000;
const HOSTILE = "'; drop table replicas; -- <script>alert(1)</script>";

let test_: TestDb;

function snapshot(overrides: Partial<ReplicaSnapshot>): ReplicaSnapshot {
  return {
    takenAtMs: T0,
    routerId: "rt-1",
    replica: "r-1",
    state: "ready",
    inFlight: 1,
    running: 2,
    queueDepth: 0,
    kvOccupancy: 0.5,
    signalAgeMs: 500,
    ttftP50Ms: 100,
    ttftP99Ms: 400,
    itlP50Ms: 20,
    hitRate: 0.5,
    requests: 1,
    failures: 0,
    ...overrides,
  };
}

beforeAll(async () => {
  test_ = await withTestDb();
  const replica = (id: string) => ({
    id,
    model: id === "other" ? "m2" : "m1",
    engine: "vllm" as const,
    role: "unified" as const,
    labels: { zone: "a" },
    segment: id === "other" ? "s2" : "s1",
  });
  await registerReplicas(test_.db, ["r-1", "r-2", HOSTILE, "other", "never"].map(replica));
  for (const id of ["rt-1", "rt-2"]) {
    await heartbeatRouter(test_.db, {
      id,
      startedAtMs: T0,
      version: "1",
      host: "h",
      policyRevision: 1,
      recordsQueued: 0,
      recordsSpooled: 0,
      recordsDropped: 0,
    });
  }
  await insertReplicaSnapshots(test_.db, [
    // Minute 0: a spike between two low values, seen by two routers.
    snapshot({ takenAtMs: T0 + 1000, kvOccupancy: 0.4, inFlight: 3 }),
    snapshot({ takenAtMs: T0 + 6000, kvOccupancy: 0.94, inFlight: 1 }),
    snapshot({ takenAtMs: T0 + 11_000, kvOccupancy: 0.42, inFlight: 2 }),
    snapshot({ takenAtMs: T0 + 6000, routerId: "rt-2", kvOccupancy: 0.41, inFlight: 5, ttftP99Ms: 900 }),
    // Minute 1: nothing. Minute 2: unreachable, signals unknown. Minute 3: back.
    snapshot({ takenAtMs: T0 + 2 * MINUTE, state: "unreachable", kvOccupancy: null, signalAgeMs: null }),
    snapshot({ takenAtMs: T0 + 3 * MINUTE, kvOccupancy: 0.1 }),
    // Minute 4: both routers look at an old scrape.
    snapshot({ takenAtMs: T0 + 4 * MINUTE, kvOccupancy: 0.6, signalAgeMs: 40_000 }),
    snapshot({
      takenAtMs: T0 + 4 * MINUTE + 1000,
      routerId: "rt-2",
      kvOccupancy: 0.61,
      signalAgeMs: 3000,
      inFlight: 4,
    }),
    snapshot({ replica: "r-2", takenAtMs: T0 + 4 * MINUTE, kvOccupancy: 0.2, signalAgeMs: 90_000 }),
    snapshot({ replica: HOSTILE, takenAtMs: T0 + 4 * MINUTE, kvOccupancy: 0.3 }),
    snapshot({ replica: "other", takenAtMs: T0 + 4 * MINUTE, kvOccupancy: 0.8 }),
  ]);
});

afterAll(async () => test_.drop());

const read = (metric: string, model: string | null = null, toMs = T0 + 5 * MINUTE) =>
  readMatrix(test_.open("evenkeel_console"), {
    metric: matrixMetric(metric),
    bins: binsOfStep(T0, T0 + 5 * MINUTE, MINUTE),
    toMs,
    model,
    nowMs: toMs,
  });

function rowOf(matrix: Matrix, id: string): (number | null)[] {
  const row = matrix.header.rows.findIndex((candidate) => candidate.id === id);
  const { scale } = matrixMetric(matrix.header.metric);
  const { columns } = matrix.header;
  return [...matrix.cells.subarray(row * columns, (row + 1) * columns)].map((byte) =>
    decodeCell(scale, byte),
  );
}

test("a short spike survives pooling, and a minute without snapshots is a gap, not a zero", async () => {
  const [spike, gap, unknown, back] = rowOf(await read("kv"), "r-1");
  expect(spike).toBeCloseTo(0.94, 2);
  expect(gap).toBeNull();
  expect(unknown).toBeNull();
  expect(back).toBeCloseTo(0.1, 2);
});

test("requests in flight of two routers add up, engine signals do not", async () => {
  const inFlight = rowOf(await read("inflight"), "r-1");
  expect(Math.round(inFlight[0] ?? -1)).toBe(8);
  expect(Math.round(inFlight[4] ?? -1)).toBe(5);
  const running = rowOf(await read("running"), "r-1");
  expect(Math.round(running[0] ?? -1)).toBe(2);
});

test("percentiles of two routers are not averaged: the worst is shown", async () => {
  expect((rowOf(await read("ttft"), "r-1")[0] ?? 0) / 900).toBeCloseTo(1, 1);
});

test("now is the newest scrape, whichever router wrote last, and in flight is the sum", async () => {
  const row = (await read("kv")).header.rows.find((candidate) => candidate.id === "r-1");
  expect(row?.now).toBeCloseTo(0.61, 5);
  expect(row?.signalAgeMs).toBe(3000);
  expect(row?.inFlight).toBe(5);
});

test("a cell is stale only when no router had a fresh signal; coming back leaves a notch", async () => {
  const { header } = await read("kv");
  const index = (id: string) => header.rows.findIndex((row) => row.id === id);
  expect(header.stale).toContainEqual([index("r-2"), 4, 1]);
  expect(header.stale.some(([row]) => row === index("r-1"))).toBe(false);
  expect(header.restarts).toEqual([[index("r-1"), 3]]);
});

test("a replica that was registered and never seen is listed without a value, from its registration on", async () => {
  expect((await read("kv")).header.rows.some((row) => row.id === "never")).toBe(false);
  const row = (await read("kv", null, Date.now() + 1000)).header.rows.find(
    (candidate) => candidate.id === "never",
  );
  expect(row).toMatchObject({ state: null, now: null, inFlight: null });
});

test("the model filter narrows rows, and a hostile id is a name like any other", async () => {
  const matrix = await read("kv", "m1");
  expect(matrix.header.rows.map((row) => row.id)).toEqual([
    "'; drop table replicas; -- <script>alert(1)</script>",
    "r-1",
    "r-2",
  ]);
  expect(rowOf(matrix, HOSTILE)[4]).toBeCloseTo(0.3, 2);
});

test("the drawer has the replica's points beside its peers' median and each router's view", async () => {
  const detail = await readReplica(test_.open("evenkeel_console"), "r-1", {
    fromMs: T0,
    toMs: T0 + 5 * MINUTE,
  });
  expect(detail?.views.map((view) => [view.router, view.inFlight])).toEqual([
    ["rt-1", 1],
    ["rt-2", 4],
  ]);
  expect(detail?.points.at(-1)?.peerKvOccupancy).toBeCloseTo(0.25, 5);
  expect(
    await readReplica(test_.open("evenkeel_console"), "nobody", { fromMs: T0, toMs: T0 + MINUTE }),
  ).toBeNull();
});

test("what the drawer says of now is what the matrix's row says", async () => {
  const row = (await read("kv")).header.rows.find((candidate) => candidate.id === "r-1");
  const detail = await readReplica(test_.open("evenkeel_console"), "r-1", {
    fromMs: T0,
    toMs: T0 + 5 * MINUTE,
  });
  expect(row?.now).not.toBeNull();
  expect(detail?.now.kvOccupancy).toBe(row?.now);
  expect(detail?.now.inFlight).toBe(row?.inFlight);
});
