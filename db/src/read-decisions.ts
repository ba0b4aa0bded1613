import type { RejectedDecision, RoutedDecision } from "@evenkeel/scheduler/decision";
import type { StrategyType } from "@evenkeel/scheduler/strategy";
import type { Db } from "./connect.ts";
import { DbError } from "./db-error.ts";
import { decodeDecisionDetail } from "./decision-detail.ts";
import { decisionIdFromUuid, decisionIdTimeMs, decisionIdToUuid, isDecisionId } from "./decision-id.ts";
import type { DecisionOutcome, DecisionRecord } from "./decision-record.ts";

export interface StoredDecision {
  readonly record: DecisionRecord;
  /** Names of the terms, in the order of `Candidate.terms`, as the strategy had them when it decided. */
  readonly termNames: readonly string[];
}

/** A record as it was inserted, null when none has that id. Computed numbers come back rounded to 32 bits. */
export async function readDecision(db: Db, id: string): Promise<DecisionRecord | null> {
  const [found] = await readDecisions(db, [id]);
  return found?.record ?? null;
}

/** The decisions of the ids that are stored, in the order of the ids. What is not an id is not found. */
export async function readDecisions(db: Db, ids: readonly string[]): Promise<StoredDecision[]> {
  const wanted = [...new Set(ids)].filter(isDecisionId);
  if (wanted.length === 0) return [];
  // The time inside the id leads the primary key, and picks the partition.
  const rows = await db.sql<StoredRow[]>`
    select d.*, c.model, c.base_model, c.adapter, c.pool, c.arm, c.segment, c.strategy, c.term_names, c.reason,
      c.reject_code, c.outcome, c.error_code, c.status, c.is_streaming, c.is_panic, r.id as router_id,
      s.members
    from unnest(${wanted.map((id) => new Date(decisionIdTimeMs(id)).toISOString())}::timestamptz[],
      ${wanted.map(decisionIdToUuid)}::uuid[]) as wanted (decided_at, id)
    join decisions d on d.decided_at = wanted.decided_at and d.id = wanted.id
    join decision_contexts c on c.num = d.context
    join routers r on r.num = d.router
    join replica_sets s on s.num = d.replica_set`;
  const replicas = await replicaIds(db, rows);
  const byId = new Map(rows.map((row) => [decisionIdFromUuid(row.id), storedOf(row, replicas)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface StoredRow {
  readonly decided_at: Date;
  readonly decided_offset_ms: number | null;
  readonly id: string;
  readonly policy_revision: number;
  readonly chosen: number | null;
  readonly decide_us: number;
  readonly duration_ms: number;
  readonly held_ms: number | null;
  readonly ttft_ms: number | null;
  readonly itl_ms: number | null;
  readonly prompt_tokens_predicted: number;
  readonly predicted_output_tokens: number | null;
  readonly prompt_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly output_tokens: number | null;
  readonly request_uuid: string | null;
  readonly request_id: string | null;
  readonly stream_id: string | null;
  readonly session_hash: string | null;
  readonly unknown_model: string | null;
  readonly members: readonly number[];
  readonly detail: Uint8Array;
  readonly router_id: string;
  readonly model: string | null;
  readonly base_model: string | null;
  readonly adapter: string | null;
  readonly pool: string | null;
  readonly arm: string | null;
  readonly segment: string | null;
  readonly strategy: StrategyType;
  readonly term_names: readonly string[];
  readonly reason: RoutedDecision["reason"] | null;
  readonly reject_code: RejectedDecision["code"] | null;
  readonly outcome: DecisionOutcome;
  readonly error_code: string | null;
  readonly status: number | null;
  readonly is_streaming: boolean;
  readonly is_panic: boolean;
}

async function replicaIds(db: Db, rows: readonly StoredRow[]): Promise<ReadonlyMap<number, string>> {
  const numbers = new Set(rows.flatMap((row) => row.members));
  const found = await db.sql<{ num: number; id: string }[]>`
    select num, id from replicas where num = any(${[...numbers].map(String)}::int[])`;
  return new Map(found.map((row) => [row.num, row.id]));
}

function storedOf(row: StoredRow, replicas: ReadonlyMap<number, string>): StoredDecision {
  const idOf = (num: number | undefined) => {
    const id = num === undefined ? undefined : replicas.get(num);
    if (id === undefined)
      throw new DbError("invalid_record", `decision ${row.id} names a replica that is not there`);
    return id;
  };
  const detail = decodeDecisionDetail(row.detail);
  const at = (position: number) => idOf(row.members[position]);
  const id = decisionIdFromUuid(row.id);
  const common = {
    requestId: row.stream_id ?? id,
    decidedAtMs: row.decided_at.getTime() + (row.decided_offset_ms ?? 0),
    policyRevision: row.policy_revision,
    strategy: row.strategy,
    pool: row.pool,
    arm: row.arm,
    baseModel: row.base_model,
    adapter: row.adapter,
    filtered: detail.filtered.map(({ position, reason }) => ({ replica: at(position), reason })),
    candidates: detail.candidates.map(({ position, ...candidate }) => ({
      replica: at(position),
      ...candidate,
    })),
  };
  return {
    termNames: row.term_names,
    record: {
      id,
      requestId: row.request_uuid ?? row.request_id ?? "",
      routerId: row.router_id,
      model: row.model ?? row.unknown_model ?? "",
      sessionHash: row.session_hash,
      decision:
        row.chosen !== null && row.segment !== null && row.reason !== null
          ? {
              kind: "routed",
              ...common,
              chosen: idOf(row.chosen),
              segment: row.segment,
              reason: row.reason,
              predictedOutputTokens: Math.fround(row.predicted_output_tokens ?? 0),
              isPanic: row.is_panic,
            }
          : { kind: "rejected", ...common, code: row.reject_code ?? "no_replica" },
      decideUs: Math.fround(row.decide_us),
      heldMs: Math.fround(row.held_ms ?? 0),
      attempts: detail.attempts.map(({ position, ...attempt }) => ({
        replica: at(position),
        ...attempt,
      })),
      outcome: row.outcome,
      errorCode: row.error_code,
      status: row.status,
      isStreaming: row.is_streaming,
      promptTokensPredicted: Math.fround(row.prompt_tokens_predicted),
      promptTokens: row.prompt_tokens,
      cachedTokens: row.cached_tokens,
      outputTokens: row.output_tokens,
      ttftMs: real(row.ttft_ms),
      itlMs: real(row.itl_ms),
      durationMs: Math.fround(row.duration_ms),
    },
  };
}

/** Postgres writes the shortest decimal of a 32-bit float; parsed as 64 bits it is another number. */
function real(value: number | null): number | null {
  return value === null ? null : Math.fround(value);
}
