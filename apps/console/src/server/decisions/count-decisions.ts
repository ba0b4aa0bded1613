import type { Db } from "@evenkeel/db/connect";
import type { DecisionReason } from "@evenkeel/scheduler/decision";
import { type MatrixBins, matrixBins } from "#components/fleet-matrix/matrix-bins.ts";
import { decisionConditions } from "./decision-conditions.ts";
import { type DecisionFilter, REJECTED } from "./decision-filter.ts";

export type ReasonOrRejected = DecisionReason | typeof REJECTED;

/** Decisions per bin and reason; bins without any are absent. */
export interface ReasonHistogram extends MatrixBins {
  /** The range itself: the first and last bin may be covered in part only. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly counts: readonly {
    readonly bin: number;
    readonly reason: ReasonOrRejected;
    readonly count: number;
  }[];
  /** All that match: counted, not estimated. */
  readonly total: number;
}

/** Most bars of the chart. */
const MAX_BINS = 96;

/** Counts what the filter matches by time and reason, in Postgres. */
export async function countByReason(db: Db, filter: DecisionFilter, nowMs: number): Promise<ReasonHistogram> {
  const toMs = filter.toMs ?? nowMs;
  const bins = matrixBins(filter.fromMs, toMs, MAX_BINS, 1000);
  const rows = await db.sql<{ bin: number; reason: DecisionReason | null; count: number }[]>`
    select bin, c.reason, sum(count)::int as count
    from (
      select
        floor((extract(epoch from d.decided_at) * 1000 - ${bins.t0Ms}::float8) / ${bins.stepMs}::float8)::int as bin,
        d.context, count(*) as count
      from decisions d
      where ${decisionConditions(db, filter)}
      group by bin, d.context
    ) as by_context
    join decision_contexts c on c.num = by_context.context
    group by bin, c.reason
    order by bin`;
  const counts = rows.map(({ bin, reason, count }): ReasonHistogram["counts"][number] => ({
    bin,
    reason: reason ?? REJECTED,
    count,
  }));
  return {
    ...bins,
    fromMs: filter.fromMs,
    toMs,
    counts,
    total: counts.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Share of each reason on one replica, against the other replicas of its segment. */
export interface ReasonMix {
  readonly replica: string;
  readonly peers: number;
  readonly own: Partial<Record<ReasonOrRejected, number>>;
  readonly others: Partial<Record<ReasonOrRejected, number>>;
}

/** Why the chosen replica is chosen, against its peers; null when the filter names no replica or it has no peers. */
export async function compareReasons(db: Db, filter: DecisionFilter): Promise<ReasonMix | null> {
  if (filter.chosen === null) return null;
  const { sql } = db;
  const peers = await sql<{ num: number; id: string }[]>`
    select num, id from replicas
    where segment = (select segment from replicas where id = ${filter.chosen})`;
  const own = peers.find((peer) => peer.id === filter.chosen);
  if (own === undefined || peers.length < 2) return null;
  const nums = peers.map((peer) => peer.num);
  const rows = await sql<{ isOwn: boolean; reason: DecisionReason; count: number; replicas: number }[]>`
    select is_own as "isOwn", c.reason, sum(count)::int as count
    from (
      select d.chosen = ${own.num} as is_own, d.context, count(*) as count
      from decisions d
      where ${decisionConditions(db, { ...filter, chosen: null, reason: null })} and d.chosen = any(${nums}::int[])
      group by is_own, d.context
    ) as by_context
    join decision_contexts c on c.num = by_context.context
    group by is_own, c.reason`;
  const side = (isOwn: boolean) =>
    Object.fromEntries(rows.filter((row) => row.isOwn === isOwn).map((row) => [row.reason, row.count]));
  return { replica: filter.chosen, peers: peers.length - 1, own: side(true), others: side(false) };
}
