import type { Db } from "@evenkeel/db/connect";
import type { ReplicaState } from "@evenkeel/scheduler/replica";
import { type MatrixBins, matrixBins } from "#components/fleet-matrix/matrix-bins.ts";
import { matrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { median } from "#components/fleet-matrix/robust-stats.ts";
import { decisionConditions, decisionScope } from "#server/decisions/decision-conditions.ts";
import type { DecisionFilter } from "#server/decisions/decision-filter.ts";
import { everyDecision } from "#server/decisions/every-decision.ts";
import { mergeSnapshots } from "./merge-snapshots.ts";
import { readFleetNow } from "./read-fleet-now.ts";

/** One router's newest snapshot of the replica. Null is not known. */
export interface RouterView {
  readonly router: string;
  readonly takenAtMs: number;
  readonly state: ReplicaState;
  readonly inFlight: number;
  readonly running: number | null;
  readonly queueDepth: number | null;
  readonly kvOccupancy: number | null;
  readonly signalAgeMs: number | null;
  readonly ttftP50Ms: number | null;
  readonly ttftP99Ms: number | null;
  readonly itlP50Ms: number | null;
  readonly hitRate: number | null;
  readonly requests: number;
  readonly failures: number;
}

/** A point of the small charts, pooled like the matrix: highest value per bin. */
export interface ReplicaPoint {
  readonly bin: number;
  readonly kvOccupancy: number | null;
  readonly queueDepth: number | null;
  readonly running: number | null;
  readonly inFlight: number | null;
  readonly ttftP50Ms: number | null;
  readonly ttftP99Ms: number | null;
  /** Median KV occupancy of the segment's other replicas. */
  readonly peerKvOccupancy: number | null;
}

/** The newest readings at the end of the range, merged over routers as in the matrix's row. */
export interface ReplicaNow {
  readonly kvOccupancy: number | null;
  /** Median of the newest KV occupancy of the segment's other replicas; null without any. */
  readonly peerKvOccupancy: number | null;
  readonly running: number | null;
  readonly queueDepth: number | null;
  readonly inFlight: number | null;
  readonly ttftP50Ms: number | null;
  readonly ttftP99Ms: number | null;
}

export interface ReplicaDetail {
  readonly id: string;
  readonly model: string | null;
  readonly engine: string | null;
  readonly role: string | null;
  readonly segment: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly removedMs: number | null;
  readonly now: ReplicaNow;
  readonly bins: MatrixBins;
  readonly points: readonly ReplicaPoint[];
  /** What each router knew last within the range. */
  readonly views: readonly RouterView[];
  readonly decisions: {
    readonly won: number;
    /** Lost although a candidate. */
    readonly lost: number;
    readonly failed: number;
  };
}

const POINTS = 180;

/** Everything the drawer says of one replica in the range; null when the store does not know it. */
export async function readReplica(
  db: Db,
  id: string,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<ReplicaDetail | null> {
  const { sql } = db;
  const [replica] = await sql<
    {
      num: number;
      id: string;
      model: string | null;
      engine: string | null;
      role: string | null;
      segment: string | null;
      labels: Record<string, string> | null;
      firstSeenAt: Date;
      lastSeenAt: Date;
      removedAt: Date | null;
    }[]
  >`
    select num, id, model, engine, role, segment, labels,
      first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", removed_at as "removedAt"
    from replicas where id = ${id}`;
  if (replica === undefined) return null;
  const bins = matrixBins(range.fromMs, range.toMs, POINTS, 5000);
  const [points, views, kv, decisions] = await Promise.all([
    readPoints(db, replica.num, replica.segment, bins),
    readViews(db, replica.num, range),
    readKvNow(db, replica, bins, range.toMs),
    countOutcomes(db, id, range),
  ]);
  const { num: _num, firstSeenAt, lastSeenAt, removedAt, labels, ...facts } = replica;
  return {
    ...facts,
    labels: labels ?? {},
    firstSeenMs: firstSeenAt.getTime(),
    lastSeenMs: lastSeenAt.getTime(),
    removedMs: removedAt?.getTime() ?? null,
    now: { ...kv, ...mergeViews(views) },
    bins,
    points,
    views,
    decisions,
  };
}

/** KV occupancy now, of the replica and its peers, from the same read as the fleet matrix's rows. */
async function readKvNow(
  db: Db,
  replica: { readonly num: number; readonly model: string | null; readonly segment: string | null },
  bins: MatrixBins,
  toMs: number,
): Promise<Pick<ReplicaNow, "kvOccupancy" | "peerKvOccupancy">> {
  const rows = await readFleetNow(db, { metric: matrixMetric("kv"), bins, toMs, model: replica.model });
  const peers = rows.filter((row) => row.num !== replica.num && row.segment === replica.segment);
  return {
    kvOccupancy: rows.find((row) => row.num === replica.num)?.now ?? null,
    peerKvOccupancy: median(peers.flatMap((row) => row.now ?? [])),
  };
}

function mergeViews(views: readonly RouterView[]): Omit<ReplicaNow, "kvOccupancy" | "peerKvOccupancy"> {
  const now = (merge: "engine" | "sum" | "worst", pick: (view: RouterView) => number | null) =>
    mergeSnapshots(
      views.map((view) => ({ ...view, value: pick(view) })),
      merge,
    ).now;
  return {
    running: now("engine", (view) => view.running),
    queueDepth: now("engine", (view) => view.queueDepth),
    inFlight: now("sum", (view) => view.inFlight),
    ttftP50Ms: now("worst", (view) => view.ttftP50Ms),
    ttftP99Ms: now("worst", (view) => view.ttftP99Ms),
  };
}

async function readPoints(
  db: Db,
  num: number,
  segment: string | null,
  bins: MatrixBins,
): Promise<readonly ReplicaPoint[]> {
  return await db.sql<ReplicaPoint[]>`
    with cells as (
      select
        replica, router,
        floor((extract(epoch from taken_at) * 1000 - ${bins.t0Ms}::float8) / ${bins.stepMs}::float8)::int as bin,
        max(kv_occupancy) as kv, max(queue_depth) as queue, max(running) as running, max(in_flight) as in_flight,
        max(ttft_p50_ms) as p50, max(ttft_p99_ms) as p99
      from replica_snapshots
      where taken_at >= ${new Date(bins.t0Ms)} and taken_at < ${new Date(bins.t0Ms + bins.columns * bins.stepMs)}
        and replica in (select num from replicas where num = ${num} or segment = ${segment})
      group by replica, router, bin
    ),
    by_replica as (
      select replica, bin, max(kv) as kv, max(queue) as queue, max(running) as running,
        sum(in_flight) as in_flight, max(p50) as p50, max(p99) as p99
      from cells group by replica, bin
    ),
    peers as (
      select bin, percentile_cont(0.5) within group (order by kv) as kv
      from by_replica where replica <> ${num} group by bin
    )
    select
      own.bin, own.kv as "kvOccupancy", own.queue as "queueDepth", own.running, own.in_flight::int as "inFlight",
      own.p50 as "ttftP50Ms", own.p99 as "ttftP99Ms", peers.kv as "peerKvOccupancy"
    from by_replica own left join peers on peers.bin = own.bin
    where own.replica = ${num}
    order by own.bin`;
}

async function readViews(
  db: Db,
  num: number,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly RouterView[]> {
  const rows = await db.sql<(Omit<RouterView, "takenAtMs"> & { takenAt: Date })[]>`
    select distinct on (s.router)
      r.id as router, s.taken_at as "takenAt", s.state, s.in_flight as "inFlight", s.running,
      s.queue_depth as "queueDepth", s.kv_occupancy as "kvOccupancy", s.signal_age_ms as "signalAgeMs",
      s.ttft_p50_ms as "ttftP50Ms", s.ttft_p99_ms as "ttftP99Ms", s.itl_p50_ms as "itlP50Ms",
      s.hit_rate as "hitRate", s.requests, s.failures
    from replica_snapshots s join routers r on r.num = s.router
    where s.replica = ${num}
      and s.taken_at >= ${new Date(range.fromMs)} and s.taken_at <= ${new Date(range.toMs)}
    order by s.router, s.taken_at desc`;
  return rows.map(({ takenAt, ...view }) => ({ ...view, takenAtMs: takenAt.getTime() }));
}

async function countOutcomes(
  db: Db,
  id: string,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<ReplicaDetail["decisions"]> {
  const { sql } = db;
  const every = everyDecision(Math.floor(range.fromMs), Math.floor(range.toMs));
  const count = async (filter: DecisionFilter) => {
    const scope = await decisionScope(db, filter);
    if (scope === null) return 0;
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from decisions d where ${decisionConditions(db, scope)}`;
    return row?.count ?? 0;
  };
  const [won, lost, ...failed] = await Promise.all([
    count({ ...every, chosen: id }),
    count({ ...every, lost: id }),
    ...FAILURES.map((outcome) => count({ ...every, chosen: id, outcome })),
  ]);
  return { won, lost, failed: failed.reduce((sum, one) => sum + one, 0) };
}

/** Outcomes that are the replica's or the network's failure. */
const FAILURES = ["upstream_failed", "upstream_timeout", "broken_stream"] as const;
