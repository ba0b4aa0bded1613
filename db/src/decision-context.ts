import { createHash } from "node:crypto";
import { strategySpec } from "@evenkeel/scheduler/catalog";
import type { StrategyType } from "@evenkeel/scheduler/strategy";
import type { Db } from "./connect.ts";
import type { DecisionRecord } from "./decision-record.ts";
import { numberOf } from "./dictionary.ts";
import { storableText } from "./storable-text.ts";
import { uuidOfDigest } from "./uuid-of-digest.ts";

/** A row of `decision_contexts` without its number and key. */
export interface DecisionContextRow {
  readonly model: string | null;
  readonly baseModel: string | null;
  readonly adapter: string | null;
  readonly pool: string | null;
  readonly arm: string | null;
  readonly segment: string | null;
  readonly strategy: string;
  readonly termNames: readonly string[];
  readonly reason: string | null;
  readonly rejectCode: string | null;
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly status: number | null;
  readonly attemptCount: number;
  readonly isStreaming: boolean;
  readonly isPanic: boolean;
}

/** A context, and the text that tells it from every other. */
export interface DecisionContext {
  readonly identity: string;
  readonly row: DecisionContextRow;
}

/** What a record has in common with others. */
export function decisionContextOf(record: DecisionRecord): DecisionContext {
  const { decision } = record;
  const routed = decision.kind === "routed" ? decision : null;
  const row: DecisionContextRow = {
    model: decision.baseModel === null ? null : storableText(record.model),
    baseModel: textOrNull(decision.baseModel),
    adapter: textOrNull(decision.adapter),
    pool: textOrNull(decision.pool),
    arm: textOrNull(decision.arm),
    segment: textOrNull(routed?.segment ?? null),
    strategy: decision.strategy,
    termNames: termNamesOf(decision.strategy),
    reason: routed?.reason ?? null,
    rejectCode: decision.kind === "rejected" ? decision.code : null,
    outcome: record.outcome,
    errorCode: textOrNull(record.errorCode),
    status: record.status,
    attemptCount: record.attempts.length,
    isStreaming: record.isStreaming,
    isPanic: routed?.isPanic ?? false,
  };
  return { identity: JSON.stringify(Object.values(row)), row };
}

/** The numbers of contexts by their identity; new ones are added. */
export async function contextNumbers(
  db: Db,
  contexts: readonly DecisionContext[],
): Promise<ReadonlyMap<string, number>> {
  const byIdentity = new Map(contexts.map((context) => [context.identity, context]));
  const keyed = [...byIdentity.values()].map((context) => ({ ...context, key: keyOf(context.identity) }));
  const numbers = await readNumbers(
    db,
    keyed.map(({ key }) => key),
  );
  const unknown = keyed.filter(({ key }) => !numbers.has(key));
  if (unknown.length > 0) {
    await addContexts(
      db,
      unknown.map(({ key, row }) => ({ key, ...row })),
    );
    for (const [key, num] of await readNumbers(
      db,
      unknown.map(({ key }) => key),
    ))
      numbers.set(key, num);
  }
  return new Map(keyed.map(({ identity, key }) => [identity, numberOf(numbers, key)]));
}

async function readNumbers(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.sql<{ key: string; num: number }[]>`
    select key, num from decision_contexts where key = any(${[...keys]}::uuid[])`;
  return new Map(rows.map((row) => [row.key, row.num]));
}

async function addContexts(
  db: Db,
  rows: readonly (DecisionContextRow & { readonly key: string })[],
): Promise<void> {
  // Rows travel as one JSON document: few, and the only way to hand over arrays of arrays.
  await db.sql`
    insert into decision_contexts (key, model, base_model, adapter, pool, arm, segment, strategy, term_names, reason,
      reject_code, outcome, error_code, status, attempt_count, is_streaming, is_panic)
    select key, model, "baseModel", adapter, pool, arm, segment, strategy, "termNames", reason, "rejectCode", outcome,
      "errorCode", status, "attemptCount", "isStreaming", "isPanic"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (key uuid, model text, "baseModel" text,
      adapter text, pool text, arm text, segment text, strategy text, "termNames" text[], reason text,
      "rejectCode" text, outcome text, "errorCode" text, status smallint, "attemptCount" smallint,
      "isStreaming" boolean, "isPanic" boolean)
    order by key
    on conflict do nothing`;
}

/** 128 bits over every column, in the form of a UUID. */
function keyOf(identity: string): string {
  return uuidOfDigest(createHash("sha256").update(identity).digest("hex"));
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

function termNamesOf(strategy: StrategyType): readonly string[] {
  return strategySpec(strategy).terms.map((term) => term.name);
}
