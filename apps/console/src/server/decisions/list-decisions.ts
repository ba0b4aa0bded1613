import type { Db } from "@evenkeel/db/connect";
import { decisionIdFromUuid, decisionIdTimeMs, decisionIdToUuid } from "@evenkeel/db/decision-id";
import type { DecisionOutcome, DecisionRecord } from "@evenkeel/db/decision-record";
import { readDecisions } from "@evenkeel/db/read-decisions";
import type { Candidate, DecisionReason, RejectCode } from "@evenkeel/scheduler/decision";
import type { StrategyType } from "@evenkeel/scheduler/strategy";
import { decisionConditions, decisionScope } from "./decision-conditions.ts";
import type { DecisionFilter } from "./decision-filter.ts";

/** A decision as one line of the table. Null is not known. */
export interface DecisionRow {
  readonly id: string;
  readonly decidedAtMs: number;
  readonly model: string;
  readonly sessionHash: string | null;
  /** Null when rejected. */
  readonly chosen: string | null;
  readonly reason: DecisionReason | null;
  readonly rejectCode: RejectCode | null;
  /** The best replica that was not chosen, null without a rival. */
  readonly bestOther: string | null;
  /** Cost of `bestOther` minus that of the chosen one, in the strategy's unit; below zero the chosen one was dearer. */
  readonly margin: number | null;
  readonly strategy: StrategyType;
  readonly predictedTtftMs: number | null;
  readonly ttftMs: number | null;
  /** Cached share of the prompt, 0..1. */
  readonly hitRate: number | null;
  readonly outcome: DecisionOutcome;
  readonly errorCode: string | null;
  readonly policyRevision: number;
  readonly attempts: number;
}

export interface DecisionPage {
  /** Newest first. */
  readonly rows: readonly DecisionRow[];
  /** Id after which the next page starts, null on the last page. */
  readonly next: string | null;
}

/** One page, newest first. Keyset: the id holds its time, so the last id is the place to go on from, whatever arrives meanwhile. */
export async function listDecisions(
  db: Db,
  filter: DecisionFilter,
  after: string | null,
  limit: number,
): Promise<DecisionPage> {
  const { sql } = db;
  const scope = await decisionScope(db, filter);
  if (scope === null) return { rows: [], next: null };
  const past =
    after === null
      ? sql``
      : sql`and (d.decided_at, d.id) < (${new Date(decisionIdTimeMs(after))}, ${decisionIdToUuid(after)}::uuid)`;
  const rows = await selectRows(
    db,
    sql`where ${decisionConditions(db, scope)} ${past} order by d.decided_at desc, d.id desc limit ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Decisions later than `since`, newest first, at most `limit`; `isMore` when there are others between them and `since`. */
export async function newerDecisions(
  db: Db,
  filter: DecisionFilter,
  since: string | null,
  limit: number,
): Promise<{ readonly rows: readonly DecisionRow[]; readonly isMore: boolean }> {
  const { sql } = db;
  const scope = await decisionScope(db, filter);
  if (scope === null) return { rows: [], isMore: false };
  const later =
    since === null
      ? sql``
      : sql`and (d.decided_at, d.id) > (${new Date(decisionIdTimeMs(since))}, ${decisionIdToUuid(since)}::uuid)`;
  const rows = await selectRows(
    db,
    sql`where ${decisionConditions(db, scope)} ${later} order by d.decided_at desc, d.id desc limit ${limit + 1}`,
  );
  return { rows: rows.slice(0, limit), isMore: rows.length > limit };
}

/** Ids first, then the records behind them: what a row shows is read from the record, the way the drawer reads it. */
async function selectRows(db: Db, rest: ReturnType<typeof decisionConditions>): Promise<DecisionRow[]> {
  const ids = await db.sql<{ id: string }[]>`select d.id from decisions d ${rest}`;
  const stored = await readDecisions(
    db,
    ids.map((row) => decisionIdFromUuid(row.id)),
  );
  return stored.map(({ record }) => rowOf(record));
}

function rowOf(record: DecisionRecord): DecisionRow {
  const { decision, promptTokens, cachedTokens } = record;
  const routed = decision.kind === "routed" ? decision : null;
  const own = routed?.candidates[0];
  const other = routed?.candidates.reduce<Candidate | undefined>(
    (best, candidate) =>
      candidate === own || (best !== undefined && best.cost <= candidate.cost) ? best : candidate,
    undefined,
  );
  return {
    id: record.id,
    decidedAtMs: decision.decidedAtMs,
    model: record.model,
    sessionHash: record.sessionHash,
    chosen: routed?.chosen ?? null,
    reason: routed?.reason ?? null,
    rejectCode: decision.kind === "rejected" ? decision.code : null,
    bestOther: other?.replica ?? null,
    margin: own === undefined || other === undefined ? null : other.cost - own.cost,
    strategy: decision.strategy,
    predictedTtftMs: own?.predictedTtftMs ?? null,
    ttftMs: record.ttftMs,
    hitRate:
      promptTokens === null || promptTokens === 0 || cachedTokens === null
        ? null
        : cachedTokens / promptTokens,
    outcome: record.outcome,
    errorCode: record.errorCode,
    policyRevision: decision.policyRevision,
    attempts: record.attempts.length,
  };
}
