import type { Db } from "@evenkeel/db/connect";
import { decisionIdFromUuid, decisionIdTimeMs, decisionIdToUuid } from "@evenkeel/db/decision-id";
import type { DecisionOutcome } from "@evenkeel/db/decision-record";
import type { DecisionReason, RejectCode } from "@evenkeel/scheduler/decision";
import type { StrategyType } from "@evenkeel/scheduler/strategy";
import { decisionConditions } from "./decision-conditions.ts";
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
  const past =
    after === null
      ? sql``
      : sql`and (d.decided_at, d.id) < (${new Date(decisionIdTimeMs(after))}, ${decisionIdToUuid(after)}::uuid)`;
  const rows = await selectRows(
    db,
    sql`where ${decisionConditions(db, filter)} ${past} order by d.decided_at desc, d.id desc limit ${limit + 1}`,
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
  const later =
    since === null
      ? sql``
      : sql`and (d.decided_at, d.id) > (${new Date(decisionIdTimeMs(since))}, ${decisionIdToUuid(since)}::uuid)`;
  const rows = await selectRows(
    db,
    sql`where ${decisionConditions(db, filter)} ${later} order by d.decided_at desc, d.id desc limit ${limit + 1}`,
  );
  return { rows: rows.slice(0, limit), isMore: rows.length > limit };
}

interface StoredRow {
  uuid: string;
  decidedAt: Date;
  decidedOffsetMs: number | null;
  model: string | null;
  sessionHash: string | null;
  chosen: string | null;
  reason: DecisionReason | null;
  rejectCode: RejectCode | null;
  bestOther: string | null;
  margin: number | null;
  strategy: StrategyType;
  predictedTtftMs: number | null;
  ttftMs: number | null;
  promptTokens: number | null;
  cachedTokens: number | null;
  outcome: DecisionOutcome;
  errorCode: string | null;
  policyRevision: number;
  attempts: number;
}

async function selectRows(db: Db, rest: ReturnType<typeof decisionConditions>): Promise<DecisionRow[]> {
  // The page is cut before the joins: names are looked up for what is shown only.
  const rows = await db.sql<StoredRow[]>`
    with page as (select d.* from decisions d ${rest})
    select
      page.id as uuid, page.decided_at as "decidedAt", page.decided_offset_ms as "decidedOffsetMs",
      coalesce(c.model, page.unknown_model) as model, page.session_hash as "sessionHash",
      chosen.id as chosen, c.reason, c.reject_code as "rejectCode",
      other.id as "bestOther", page.margin, c.strategy,
      page.predicted_ttft_ms as "predictedTtftMs", page.ttft_ms as "ttftMs",
      page.prompt_tokens as "promptTokens", page.cached_tokens as "cachedTokens",
      c.outcome, c.error_code as "errorCode", page.policy_revision as "policyRevision",
      c.attempt_count as attempts
    from page
    join decision_contexts c on c.num = page.context
    left join replicas chosen on chosen.num = page.chosen
    left join replicas other on other.num = page.candidates[2] and page.chosen is not null
    order by page.decided_at desc, page.id desc`;
  return rows.map(({ uuid, decidedAt, decidedOffsetMs, promptTokens, cachedTokens, ...row }) => ({
    ...row,
    model: row.model ?? "",
    id: decisionIdFromUuid(uuid),
    decidedAtMs: decidedAt.getTime() + (decidedOffsetMs ?? 0),
    hitRate:
      promptTokens === null || promptTokens === 0 || cachedTokens === null
        ? null
        : cachedTokens / promptTokens,
  }));
}
