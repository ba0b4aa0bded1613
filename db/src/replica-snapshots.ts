import type { Db } from "./connect.ts";
import { numberOf, replicaNumbers, routerNumbers } from "./dictionary.ts";
import { dayOf, ensurePartitions, isMissingPartition } from "./partitions.ts";
import type { ReplicaSnapshot } from "./replica-snapshot.ts";
import { intText, realText } from "./sql-number.ts";
import { storableText } from "./storable-text.ts";

/**
 * Writes snapshots in one statement; one already stored for the same moment, replica and router is ignored.
 * @returns how many were new.
 */
export async function insertReplicaSnapshots(db: Db, snapshots: readonly ReplicaSnapshot[]): Promise<number> {
  if (snapshots.length === 0) return 0;
  const replicas = await replicaNumbers(
    db,
    snapshots.map((s) => storableText(s.replica)),
  );
  const routers = await routerNumbers(
    db,
    snapshots.map((s) => storableText(s.routerId)),
  );
  // Values travel as text and are cast here: the driver takes an array's type from its first element, which may be null.
  const insert = async () => {
    const result = await db.sql`
      insert into replica_snapshots (taken_at, replica, router, state, in_flight, running, queue_depth, kv_occupancy,
        signal_age_ms, ttft_p50_ms, ttft_p99_ms, itl_p50_ms, hit_rate, requests, failures)
      select * from unnest(
        ${snapshots.map((s) => new Date(s.takenAtMs).toISOString())}::timestamptz[],
        ${snapshots.map((s) => String(numberOf(replicas, storableText(s.replica))))}::int[],
        ${snapshots.map((s) => String(numberOf(routers, storableText(s.routerId))))}::int[],
        ${snapshots.map((s) => s.state)}::text[],
        ${snapshots.map((s) => intText(s.inFlight))}::int[],
        ${snapshots.map((s) => intText(s.running))}::int[],
        ${snapshots.map((s) => intText(s.queueDepth))}::int[],
        ${snapshots.map((s) => realText(s.kvOccupancy))}::real[],
        ${snapshots.map((s) => realText(s.signalAgeMs))}::real[],
        ${snapshots.map((s) => realText(s.ttftP50Ms))}::real[],
        ${snapshots.map((s) => realText(s.ttftP99Ms))}::real[],
        ${snapshots.map((s) => realText(s.itlP50Ms))}::real[],
        ${snapshots.map((s) => realText(s.hitRate))}::real[],
        ${snapshots.map((s) => intText(s.requests))}::int[],
        ${snapshots.map((s) => intText(s.failures))}::int[])
      on conflict do nothing`;
    return result.count;
  };
  try {
    return await insert();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(
      db,
      "replica_snapshots",
      snapshots.map((s) => dayOf(s.takenAtMs)),
    );
    return await insert();
  }
}
