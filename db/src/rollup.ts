import type postgres from "postgres";
import type { Db } from "./connect.ts";
import type { DecisionOutcome } from "./decision-record.ts";
import { LogHistogram } from "./log-histogram.ts";
import { dayOf, ensurePartitions } from "./partitions.ts";
import { type GaugeTrend, mergeTrends, type ReplicaTrend } from "./replica-trend.ts";
import { readTrends, writeTrends } from "./replica-trends.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Minutes are rolled up this long after their end: a decision is stored when its request has ended. */
export const ROLLUP_LAG_MS = 5 * MINUTE_MS;
/** Outcomes for which the replica, not the client, is to blame. */
const FAILURES: readonly DecisionOutcome[] = ["upstream_failed", "upstream_timeout", "broken_stream"];
const PROGRESS = 1;

export interface RollupResult {
  /** Another process is at it. */
  readonly isBusy: boolean;
  readonly minutes: number;
  readonly hours: number;
  /** More is due than `mostMinutes`: call again. */
  readonly isMore: boolean;
}

/**
 * Rolls decisions and snapshots up into minutes, and minutes into hours, from where the last call ended, together with
 * minutes that got records late. One process at a time. Doing a stretch twice gives the same rows.
 */
export async function rollUp(db: Db, nowMs: number, mostMinutes = 30): Promise<RollupResult> {
  return await db.sql.begin(async (tx) => {
    const [lock] = await tx<
      { got: boolean }[]
    >`select pg_try_advisory_xact_lock(hashtext('evenkeel_rollup')) as got`;
    if (!lock?.got) return { isBusy: true, minutes: 0, hours: 0, isMore: false };
    const endMs = floorTo(nowMs - ROLLUP_LAG_MS, MINUTE_MS);
    const due = await dueMinutes(tx, endMs, mostMinutes);
    const hours = new Set<number>();
    for (const minuteMs of due.minutes) {
      await ensurePartitions({ sql: tx }, "replica_minutes", [dayOf(minuteMs)]);
      await ensurePartitions({ sql: tx }, "decision_minutes", [dayOf(minuteMs)]);
      await writeTrends(tx, "replica_minutes", await trendsOfMinute(tx, minuteMs));
      await countMinute(tx, minuteMs);
      hours.add(floorTo(minuteMs, HOUR_MS));
    }
    for (const hourMs of hours) {
      await ensurePartitions({ sql: tx }, "replica_hours", [dayOf(hourMs)]);
      await writeTrends(tx, "replica_hours", await trendsOfHour(tx, hourMs));
    }
    await tx`
      insert into rollup_progress (id, minutes_done_to) values (${PROGRESS}, ${new Date(due.doneToMs)})
      on conflict (id) do update set minutes_done_to = excluded.minutes_done_to`;
    return { isBusy: false, minutes: due.minutes.length, hours: hours.size, isMore: due.isMore };
  });
}

/** Minutes of decisions that may be rolled up already. */
export function lateMinutes(decidedAtMs: Iterable<number>, nowMs: number): number[] {
  // A little early: doing a minute twice costs less than clocks that differ.
  const rolledUpBefore = nowMs - ROLLUP_LAG_MS + 10_000;
  const minutes = new Set<number>();
  for (const timeMs of decidedAtMs) {
    const minuteMs = floorTo(timeMs, MINUTE_MS);
    if (minuteMs + MINUTE_MS <= rolledUpBefore) minutes.add(minuteMs);
  }
  return [...minutes].sort((a, b) => a - b);
}

/** Notes minutes to be rolled up again, in the transaction that adds their decisions. */
export async function markLate(tx: postgres.TransactionSql, minutes: readonly number[]): Promise<void> {
  await tx`
    insert into late_minutes (started_at)
    select unnest(${minutes.map((ms) => new Date(ms).toISOString())}::timestamptz[])
    on conflict do nothing`;
}

async function dueMinutes(tx: postgres.TransactionSql, endMs: number, most: number) {
  const [progress] = await tx<
    { at: Date }[]
  >`select minutes_done_to as at from rollup_progress where id = ${PROGRESS}`;
  const late = await tx<{ at: Date }[]>`
    delete from late_minutes where started_at in (
      select started_at from late_minutes where started_at < ${new Date(endMs)} order by started_at limit ${most})
    returning started_at as at`;
  const minutes = new Set(late.map((row) => row.at.getTime()));
  let atMs = await nextRecordMs(tx, progress?.at.getTime() ?? null);
  while (atMs !== null && atMs < endMs && minutes.size < most) {
    minutes.add(floorTo(atMs, MINUTE_MS));
    atMs = await nextRecordMs(tx, floorTo(atMs, MINUTE_MS) + MINUTE_MS);
  }
  const isCut = atMs !== null && atMs < endMs;
  const doneToMs = isCut && atMs !== null ? floorTo(atMs, MINUTE_MS) : endMs;
  return {
    minutes: [...minutes].sort((a, b) => a - b),
    isMore: isCut || late.length === most,
    doneToMs,
  };
}

/** When the first record from then on was taken: empty stretches are skipped, not counted through. */
async function nextRecordMs(tx: postgres.TransactionSql, fromMs: number | null): Promise<number | null> {
  const from = new Date(fromMs ?? 0);
  const [row] = await tx<{ at: Date | null }[]>`
    select least(
      (select min(decided_at) from decisions where decided_at >= ${from}),
      (select min(taken_at) from replica_snapshots where taken_at >= ${from})) as at`;
  return row?.at?.getTime() ?? null;
}

interface DecisionNumbers {
  readonly replica: number;
  readonly outcome: DecisionOutcome;
  readonly ttft_ms: number | null;
  readonly itl_ms: number | null;
  readonly held_ms: number | null;
  readonly prompt_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly output_tokens: number | null;
}

interface SnapshotNumbers {
  readonly replica: number;
  readonly snapshots: number;
  readonly kv_mean: number | null;
  readonly kv_max: number | null;
  readonly queue_mean: number | null;
  readonly queue_max: number | null;
  readonly running_mean: number | null;
  readonly running_max: number | null;
}

async function trendsOfMinute(tx: postgres.TransactionSql, minuteMs: number): Promise<ReplicaTrend[]> {
  const from = new Date(minuteMs);
  const to = new Date(minuteMs + MINUTE_MS);
  const decisions = await tx<DecisionNumbers[]>`
    select d.chosen as replica, c.outcome, d.ttft_ms, d.itl_ms, d.held_ms, d.prompt_tokens, d.cached_tokens, d.output_tokens
    from decisions d join decision_contexts c on c.num = d.context
    where d.decided_at >= ${from} and d.decided_at < ${to} and d.chosen is not null`;
  const snapshots = await tx<SnapshotNumbers[]>`
    select replica, count(*)::int as snapshots,
      avg(kv_occupancy)::float8 as kv_mean, max(kv_occupancy) as kv_max,
      avg(queue_depth)::float8 as queue_mean, max(queue_depth) as queue_max,
      avg(running)::float8 as running_mean, max(running) as running_max
    from replica_snapshots where taken_at >= ${from} and taken_at < ${to} group by replica`;
  const gauges = new Map(snapshots.map((row) => [row.replica, row]));
  const byReplica = Map.groupBy(decisions, (row) => row.replica);
  const replicas = new Set([...byReplica.keys(), ...gauges.keys()]);
  return [...replicas].map((replica) =>
    trendOf(minuteMs, replica, byReplica.get(replica) ?? [], gauges.get(replica)),
  );
}

function trendOf(
  startedAtMs: number,
  replica: number,
  decisions: readonly DecisionNumbers[],
  gauges: SnapshotNumbers | undefined,
): ReplicaTrend {
  const sum = (read: (row: DecisionNumbers) => number | null) =>
    decisions.reduce((total, row) => total + (read(row) ?? 0), 0);
  const histogram = (read: (row: DecisionNumbers) => number | null) => {
    const filled = new LogHistogram();
    for (const row of decisions) {
      const value = read(row);
      if (value !== null) filled.add(value);
    }
    return filled;
  };
  const gauge = (mean: number | null | undefined, max: number | null | undefined): GaugeTrend => ({
    mean: mean ?? null,
    max: max ?? null,
  });
  return {
    startedAtMs,
    replica,
    requests: decisions.length,
    failures: decisions.filter((row) => FAILURES.includes(row.outcome)).length,
    promptTokens: sum((row) => row.prompt_tokens),
    cachedTokens: sum((row) => row.cached_tokens),
    outputTokens: sum((row) => row.output_tokens),
    snapshots: gauges?.snapshots ?? 0,
    kvOccupancy: gauge(gauges?.kv_mean, gauges?.kv_max),
    queueDepth: gauge(gauges?.queue_mean, gauges?.queue_max),
    running: gauge(gauges?.running_mean, gauges?.running_max),
    ttftMs: histogram((row) => row.ttft_ms),
    itlMs: histogram((row) => row.itl_ms),
    // Null in the store: not held, which is a hold of nothing.
    heldMs: histogram((row) => row.held_ms ?? 0),
    promptLength: histogram((row) => row.prompt_tokens),
    outputLength: histogram((row) => row.output_tokens),
  };
}

async function countMinute(tx: postgres.TransactionSql, minuteMs: number): Promise<void> {
  await tx`
    insert into decision_minutes as current (started_at, context, decisions)
    select ${new Date(minuteMs)}::timestamptz, context, count(*) from decisions
    where decided_at >= ${new Date(minuteMs)} and decided_at < ${new Date(minuteMs + MINUTE_MS)}
    group by context
    on conflict (started_at, context) do update set decisions = excluded.decisions
    where excluded.decisions > current.decisions`;
}

async function trendsOfHour(tx: postgres.TransactionSql, hourMs: number): Promise<ReplicaTrend[]> {
  const minutes = await readTrends(tx, "replica_minutes", { fromMs: hourMs, toMs: hourMs + HOUR_MS });
  const byReplica = Map.groupBy(minutes, (trend) => trend.replica);
  return [...byReplica].map(([replica, parts]) => mergeTrends(hourMs, replica, parts));
}

function floorTo(timeMs: number, stepMs: number): number {
  return Math.floor(timeMs / stepMs) * stepMs;
}
