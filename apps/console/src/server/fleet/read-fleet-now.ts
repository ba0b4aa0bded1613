import type { Db } from "@evenkeel/db/connect";
import type { ReplicaState } from "@evenkeel/scheduler/replica";
import type { MatrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import type { MatrixRow } from "#components/fleet-matrix/matrix-wire.ts";
import { mergeSnapshots, type RouterSnapshot } from "./merge-snapshots.ts";

/** How far back a snapshot may lie to still say something of "now". */
const LOOKBACK_MS = 5 * 60_000;

/** A matrix row with the number the store knows the replica by. */
export interface FleetReplica extends MatrixRow {
  readonly num: number;
  readonly firstSeenMs: number;
}

interface SnapshotRow {
  replica: number;
  takenAt: Date;
  state: ReplicaState;
  inFlight: number;
  value: number | null;
  signalAgeMs: number | null;
}

/**
 * Every replica of the range with its newest value. Routers' snapshots of one replica are merged: the engine's
 * signals come from the newest scrape, requests in flight add up.
 */
export async function readFleetNow(
  db: Db,
  request: {
    readonly metric: MatrixMetric;
    readonly bins: { readonly t0Ms: number };
    readonly toMs: number;
    readonly model: string | null;
  },
): Promise<FleetReplica[]> {
  const { sql } = db;
  const to = new Date(request.toMs);
  const replicas = await sql<
    {
      num: number;
      id: string;
      model: string | null;
      engine: string | null;
      role: string | null;
      segment: string | null;
      labels: Record<string, string> | null;
      firstSeenAt: Date;
    }[]
  >`
    select num, id, model, engine, role, segment, labels, first_seen_at as "firstSeenAt"
    from replicas
    where (removed_at is null or removed_at >= ${new Date(request.bins.t0Ms)})
      ${request.model === null ? sql`` : sql`and model = ${request.model}`}
    order by id`;
  const snapshots = await sql<SnapshotRow[]>`
    select distinct on (replica, router)
      replica, taken_at as "takenAt", state, in_flight as "inFlight",
      ${sql(request.metric.column)}::float8 as value, signal_age_ms::float8 as "signalAgeMs"
    from replica_snapshots
    where taken_at > ${new Date(request.toMs - LOOKBACK_MS)} and taken_at <= ${to}
    order by replica, router, taken_at desc`;
  const byReplica = new Map<number, RouterSnapshot[]>();
  for (const { replica, takenAt, ...rest } of snapshots) {
    const list = byReplica.get(replica) ?? [];
    list.push({ ...rest, takenAtMs: takenAt.getTime() });
    byReplica.set(replica, list);
  }
  return replicas.map((replica) => ({
    num: replica.num,
    firstSeenMs: replica.firstSeenAt.getTime(),
    id: replica.id,
    model: replica.model ?? "unknown model",
    engine: replica.engine ?? "unknown engine",
    role: replica.role ?? "unknown role",
    segment: replica.segment ?? "unknown segment",
    labels: replica.labels ?? {},
    ...mergeSnapshots(byReplica.get(replica.num) ?? [], request.metric.merge),
  }));
}
