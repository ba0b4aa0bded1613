import type { Db } from "./connect.ts";

/** What counts can be split by: columns of `decision_contexts`. */
export const COUNT_GROUPS = {
  reason: "reason",
  rejectCode: "reject_code",
  outcome: "outcome",
  errorCode: "error_code",
  baseModel: "base_model",
  adapter: "adapter",
  pool: "pool",
  arm: "arm",
  strategy: "strategy",
} as const;
export type CountGroup = keyof typeof COUNT_GROUPS;

export interface CountQuery {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whole minutes. */
  readonly stepMs: number;
  readonly groupBy: CountGroup;
  /** `decision_contexts.num` of the contexts that count; absent: all. */
  readonly contexts?: readonly number[];
}

export interface DecisionCount {
  /** Start of the bin: bins begin at whole multiples of the step. */
  readonly binMs: number;
  /** Value of what is grouped by; null where decisions have none, as a rejected one has no reason. */
  readonly group: string | null;
  readonly decisions: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts decisions by time and one of their properties, exactly. Minutes that are rolled up are counted from their rollup, so that ten million
 * decisions take milliseconds; the last minutes, cut ones and those that got decisions late are counted one by one.
 * @throws RangeError when the step is not whole minutes
 */
export async function countDecisions(db: Db, query: CountQuery): Promise<DecisionCount[]> {
  const { fromMs, toMs, stepMs } = query;
  if (!(stepMs > 0 && stepMs % MINUTE_MS === 0))
    throw new RangeError(`stepMs ${stepMs} is not whole minutes`);
  if (query.contexts?.length === 0 || toMs <= fromMs) return [];
  const { sql } = db;
  const [progress] = await sql<{ at: Date }[]>`select minutes_done_to as at from rollup_progress`;
  const wholeFromMs = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
  const wholeToMs = Math.max(
    wholeFromMs,
    Math.floor(Math.min(toMs, progress?.at.getTime() ?? 0) / MINUTE_MS) * MINUTE_MS,
  );
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const [wholeFrom, wholeTo] = [new Date(Math.min(wholeFromMs, toMs)), new Date(Math.min(wholeToMs, toMs))];
  const inContexts = query.contexts ? sql`and context = any(${query.contexts.map(String)}::int[])` : sql``;
  const bin = sql`date_bin(${`${stepMs / MINUTE_MS} minutes`}::interval, at, 'epoch'::timestamptz)`;
  const rows = await sql<{ bin: Date; group: string | null; decisions: string }[]>`
    select ${bin} as bin, c.${sql(COUNT_GROUPS[query.groupBy])} as "group", sum(decisions) as decisions from (
      select started_at as at, context, decisions from decision_minutes
      where started_at >= ${wholeFrom} and started_at < ${wholeTo} ${inContexts}
        and started_at not in (select started_at from late_minutes)
      union all
      select d.decided_at, context, 1 from late_minutes l
      join decisions d on d.decided_at >= l.started_at and d.decided_at < l.started_at + interval '1 minute'
      where l.started_at >= ${wholeFrom} and l.started_at < ${wholeTo} ${inContexts}
      union all
      select decided_at, context, 1 from decisions
      where decided_at >= ${from} and decided_at < ${wholeFrom} ${inContexts}
      union all
      select decided_at, context, 1 from decisions
      where decided_at >= ${wholeTo} and decided_at < ${to} ${inContexts}
    ) as counted join decision_contexts c on c.num = counted.context
    group by 1, 2 order by 1, 2`;
  return rows.map((row) => ({
    binMs: row.bin.getTime(),
    group: row.group,
    decisions: Number(row.decisions),
  }));
}
