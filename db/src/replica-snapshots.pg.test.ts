import { expect, test } from "vitest";
import { ensurePartitionsAhead } from "./partitions.ts";
import type { ReplicaSnapshot } from "./replica-snapshot.ts";
import { insertReplicaSnapshots } from "./replica-snapshots.ts";
import { registerReplicas, removeReplicas } from "./replicas.ts";
import { withTestDb } from "./testing.ts";

const nothingKnown: ReplicaSnapshot = {
  takenAtMs: Date.UTC(2026, 10, 30, 12),
  routerId: "router-1",
  replica: "r-01",
  state: "starting",
  inFlight: 0,
  running: null,
  queueDepth: null,
  kvOccupancy: null,
  signalAgeMs: null,
  ttftP50Ms: null,
  ttftP99Ms: null,
  itlP50Ms: null,
  hitRate: null,
  requests: 0,
  failures: 0,
};

test("what is not known stays null and is never a zero", async () => {
  await using store = await withTestDb();
  const db = store.open("evenkeel_router");
  const known = { ...nothingKnown, replica: "r-02", running: 0, queueDepth: 3, kvOccupancy: 0.5, hitRate: 0 };
  expect(await insertReplicaSnapshots(db, [nothingKnown, known])).toBe(2);
  const rows = await db.sql`
    select r.id, s.running, s.queue_depth, s.kv_occupancy, s.hit_rate, s.ttft_p50_ms
    from replica_snapshots s join replicas r on r.num = s.replica order by r.id`;
  expect(rows).toEqual([
    { id: "r-01", running: null, queue_depth: null, kv_occupancy: null, hit_rate: null, ttft_p50_ms: null },
    { id: "r-02", running: 0, queue_depth: 3, kv_occupancy: 0.5, hit_rate: 0, ttft_p50_ms: null },
  ]);
});

test("snapshots sent twice are stored once", async () => {
  await using store = await withTestDb();
  expect(await insertReplicaSnapshots(store.db, [nothingKnown])).toBe(1);
  expect(await insertReplicaSnapshots(store.db, [nothingKnown])).toBe(0);
});

test("a day without a partition gets one when its first snapshot comes", async () => {
  await using store = await withTestDb();
  await ensurePartitionsAhead(store.db, Date.UTC(2026, 10, 30), 1);
  const dayAfter = { ...nothingKnown, takenAtMs: Date.UTC(2027, 0, 1) };
  expect(await insertReplicaSnapshots(store.db, [dayAfter])).toBe(1);
});

test("a replica keeps its number when it is registered, removed and registered again", async () => {
  await using store = await withTestDb();
  const db = store.open("evenkeel_router");
  await insertReplicaSnapshots(db, [nothingKnown]);
  const replica = {
    id: "r-01",
    model: "llama",
    engine: "vllm",
    role: "unified",
    labels: { gpu: "h100", 'odd "key"': "v\\" },
    segment: "llama/vllm",
  } as const;
  const read = () => db.sql`select num, model, labels, removed_at is null as present from replicas`;
  const [before] = await read();
  await registerReplicas(db, [replica]);
  expect(await read()).toEqual([
    { num: before?.["num"], model: "llama", labels: replica.labels, present: true },
  ]);
  await removeReplicas(db, ["r-01"]);
  expect(await read()).toMatchObject([{ present: false }]);
  await registerReplicas(db, [{ ...replica, model: "llama-2" }]);
  expect(await read()).toMatchObject([{ num: before?.["num"], model: "llama-2", present: true }]);
});

test("one text that Postgres cannot hold does not keep the other replicas from being registered", async () => {
  await using store = await withTestDb();
  const replica = {
    id: "r-01",
    model: "m",
    engine: "vllm",
    role: "unified",
    labels: {},
    segment: "m",
  } as const;
  const odd = {
    ...replica,
    id: "r-\u0000",
    model: "m\ud800",
    labels: { "k\u0000": "v\u0000\udc00" },
    segment: "\u0000",
  };
  await registerReplicas(store.db, [replica, odd]);
  expect(await store.db.sql`select id, model, labels from replicas order by model`).toEqual([
    { id: "r-01", model: "m", labels: {} },
    { id: "r-\ufffd", model: "m\ufffd", labels: { "k\ufffd": "v\ufffd\ufffd" } },
  ]);
  await removeReplicas(store.db, ["r-\u0000"]);
  expect(await store.db.sql`select id from replicas where removed_at is not null`).toEqual([
    { id: "r-\ufffd" },
  ]);
});
