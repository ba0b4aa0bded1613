import { parseArgs } from "node:util";
import { openDb } from "@evenkeel/db/connect";
import { insertDecisions } from "@evenkeel/db/decisions";
import { migrateDatabase } from "@evenkeel/db/migrate";
import { seedPolicy } from "@evenkeel/db/policy-revisions";
import { insertReplicaSnapshots } from "@evenkeel/db/replica-snapshots";
import { registerReplicas } from "@evenkeel/db/replicas";
import { heartbeatRouter } from "@evenkeel/db/routers";
import { madeDecision, madeFleet, madeSnapshot, seeded } from "./generated-day.ts";

/**
 * Fills a database with a made-up fleet for screenshots and measurements:
 * `node seed-day.ts --url postgres://… --replicas 48 --hours 6 --every 5 --rate 4 [--live]`.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string" },
    replicas: { type: "string", default: "48" },
    hours: { type: "string", default: "2" },
    /** Seconds between snapshots. */
    every: { type: "string", default: "5" },
    /** Decisions per second. */
    rate: { type: "string", default: "2" },
    /** Goes on writing at the pace of the clock. */
    live: { type: "boolean", default: false },
  },
});
if (!values.url) throw new Error("--url postgres://… is needed");

const everyMs = Number(values.every) * 1000;
const rate = Number(values.rate);
const spanMs = Number(values.hours) * 3_600_000;
const routerIds = ["rt-a1", "rt-b2"];
const fleet = madeFleet(Number(values.replicas), 7);
const random = seeded(41);

await migrateDatabase(values.url);
const db = openDb({ url: values.url, applicationName: "seed-day" });
await registerReplicas(db, fleet);
const source = "version: 1\nmodels:\n  - name: '*'\n    strategy:\n      type: predicted-cost\n";
await seedPolicy(db, {
  document: { version: 1, models: [{ name: "*", strategy: { type: "predicted-cost" } }] },
  source,
});

const startMs = Date.now() - spanMs;
const beat = async () => {
  for (const id of routerIds) {
    await heartbeatRouter(db, {
      id,
      startedAtMs: startMs,
      version: "0.1.0",
      host: "host-1",
      policyRevision: 1,
      recordsQueued: 0,
      recordsSpooled: 0,
      recordsDropped: 0,
    });
  }
};
await beat();

async function write(fromMs: number, toMs: number): Promise<void> {
  const progressAt = (timeMs: number) => Math.min(1, (timeMs - startMs) / spanMs);
  let snapshots = [];
  for (let atMs = Math.ceil(fromMs / everyMs) * everyMs; atMs < toMs; atMs += everyMs) {
    for (const replica of fleet) {
      for (const routerId of routerIds) {
        snapshots.push(madeSnapshot(replica, routerId, atMs, progressAt(atMs), random));
      }
    }
    if (snapshots.length >= 4000) {
      await insertReplicaSnapshots(db, snapshots);
      snapshots = [];
    }
  }
  await insertReplicaSnapshots(db, snapshots);
  let decisions = [];
  for (let atMs = fromMs; rate > 0 && atMs < toMs; atMs += (-Math.log(1 - random()) * 1000) / rate) {
    decisions.push(
      madeDecision(
        fleet,
        routerIds[decisions.length % 2] ?? "rt-a1",
        Math.floor(atMs),
        progressAt(atMs),
        random,
      ),
    );
    if (decisions.length >= 500) {
      await insertDecisions(db, decisions);
      decisions = [];
    }
  }
  const { refused } = await insertDecisions(db, decisions);
  if (refused.length > 0) throw new Error(refused[0]?.problem);
}

let writtenMs = Date.now();
await write(startMs, writtenMs);
console.log(`${fleet.length} replicas, ${values.hours} h written`);
if (values.live) {
  setInterval(async () => {
    const nowMs = Date.now();
    await beat();
    await write(writtenMs, nowMs);
    writtenMs = nowMs;
  }, everyMs);
} else {
  await db.close();
}
