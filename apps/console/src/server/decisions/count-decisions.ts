import type { Db } from "@evenkeel/db/connect";
import { countDecisions } from "@evenkeel/db/count-decisions";
import { DECISION_REASONS, type DecisionReason } from "@evenkeel/scheduler/decision";
import { type MatrixBins, matrixBins } from "#components/fleet-matrix/matrix-bins.ts";
import { type DecisionScope, decisionConditions, decisionScope } from "./decision-conditions.ts";
import type { DecisionFilter } from "./decision-filter.ts";
import { REJECTED } from "./every-decision.ts";

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
  const counts = await binnedCounts(db, { ...filter, toMs }, bins);
  return {
    ...bins,
    fromMs: filter.fromMs,
    toMs,
    counts,
    total: counts.reduce((sum, { count }) => sum + count, 0),
  };
}

type BinCount = ReasonHistogram["counts"][number];

/** Counts minutes where it can: only what rows alone know, and bars shorter than a minute, need every decision read. */
async function binnedCounts(
  db: Db,
  filter: DecisionFilter & { readonly toMs: number },
  bins: MatrixBins,
): Promise<BinCount[]> {
  const scope = await decisionScope(db, filter);
  if (scope === null) return [];
  if (ROW_FIELDS.some((field) => filter[field] !== null) || bins.stepMs % 60_000 !== 0)
    return countRows(db, scope, bins);
  const { contexts, unservedContexts } = scope;
  const [minutes, unserved] = await Promise.all([
    countDecisions(db, {
      fromMs: filter.fromMs,
      toMs: filter.toMs,
      stepMs: bins.stepMs,
      groupBy: "reason",
      ...(contexts === null ? {} : { contexts }),
    }),
    unservedContexts.length === 0 ? [] : countRows(db, { ...scope, contexts: [] }, bins),
  ]);
  return [
    ...minutes.map(
      ({ binMs, group, decisions }): BinCount => ({
        bin: (binMs - bins.t0Ms) / bins.stepMs,
        reason: DECISION_REASONS.find((reason) => reason === group) ?? REJECTED,
        count: decisions,
      }),
    ),
    ...unserved,
  ];
}

/** Fields of a filter that no context holds. */
const ROW_FIELDS = ["chosen", "lost", "session", "revision", "router", "marginBelow"] as const;

async function countRows(db: Db, scope: DecisionScope, bins: MatrixBins): Promise<BinCount[]> {
  const rows = await db.sql<{ bin: number; reason: DecisionReason | null; count: number }[]>`
    select bin, c.reason, sum(count)::int as count
    from (
      select
        floor((extract(epoch from d.decided_at) * 1000 - ${bins.t0Ms}::float8) / ${bins.stepMs}::float8)::int as bin,
        d.context, count(*) as count
      from decisions d
      where ${decisionConditions(db, scope)}
      group by bin, d.context
    ) as by_context
    join decision_contexts c on c.num = by_context.context
    group by bin, c.reason
    order by bin`;
  return rows.map(({ bin, reason, count }) => ({ bin, reason: reason ?? REJECTED, count }));
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
  const scope = await decisionScope(db, { ...filter, chosen: null, reason: null });
  if (scope === null) return { replica: filter.chosen, peers: peers.length - 1, own: {}, others: {} };
  const nums = peers.map((peer) => peer.num);
  const rows = await sql<{ isOwn: boolean; reason: DecisionReason; count: number; replicas: number }[]>`
    select is_own as "isOwn", c.reason, sum(count)::int as count
    from (
      select d.chosen = ${own.num} as is_own, d.context, count(*) as count
      from decisions d
      where ${decisionConditions(db, scope)} and d.chosen = any(${nums}::int[])
      group by is_own, d.context
    ) as by_context
    join decision_contexts c on c.num = by_context.context
    group by is_own, c.reason`;
  const side = (isOwn: boolean) =>
    Object.fromEntries(rows.filter((row) => row.isOwn === isOwn).map((row) => [row.reason, row.count]));
  return { replica: filter.chosen, peers: peers.length - 1, own: side(true), others: side(false) };
}
