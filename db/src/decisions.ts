import type { TransactionSql } from "postgres";
import type { Db } from "./connect.ts";
import { contextNumbers } from "./decision-context.ts";
import type { DecisionRecord } from "./decision-record.ts";
import { type DecisionRow, decisionRowOf, detailHexOf } from "./decision-row.ts";
import { numberOf, replicaNumbers, routerNumbers } from "./dictionary.ts";
import { dayOf, ensurePartitions, isMissingPartition } from "./partitions.ts";
import { ReplicaSets, replicaSetNumbers } from "./replica-set.ts";
import { lateMinutes, markLate } from "./rollup.ts";
import { intText, realText } from "./sql-number.ts";

export interface InsertedDecisions {
  readonly stored: number;
  /** Ids that were stored before. */
  readonly duplicates: number;
  /** Records that cannot be stored at all; trying again would not help. */
  readonly refused: readonly { readonly id: string; readonly problem: string }[];
}

/**
 * Stores records in one statement; those whose id is stored already are ignored, so a batch of unknown fate can be sent
 * again. A record that no row can hold is refused by itself and does not fail its batch. Best at some 500 records.
 * @throws the driver's error when the database is away or refuses: nothing of the batch is stored then.
 */
export async function insertDecisions(
  db: Db,
  records: readonly DecisionRecord[],
): Promise<InsertedDecisions> {
  const rows: DecisionRow[] = [];
  const refused: { id: string; problem: string }[] = [];
  for (const record of records) {
    try {
      rows.push(decisionRowOf(record));
    } catch (error) {
      refused.push({ id: record.id, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  if (rows.length === 0) return { stored: 0, duplicates: 0, refused };
  const stored = await storeRows(db, rows);
  return { stored, duplicates: rows.length - stored, refused };
}

async function storeRows(db: Db, rows: readonly DecisionRow[]): Promise<number> {
  const contexts = await contextNumbers(
    db,
    rows.map((row) => row.context),
  );
  const routers = await routerNumbers(
    db,
    rows.map((row) => row.routerId),
  );
  const replicas = await replicaNumbers(
    db,
    rows.flatMap((row) => row.replicas),
  );
  const known = new ReplicaSets(replicas);
  const sets = rows.map((row) => known.of(row.replicas));
  const setNumbers = await replicaSetNumbers(db, sets);
  const details = rows.map((row, i) => detailHexOf(row.record, (id) => sets[i]?.positionOf(id) ?? 0));
  // Values travel as text and are cast here: the driver takes an array's type from its first element, which may be
  // null. Arrays of arrays travel as array literals, because unnest would flatten them; so do columns whose values need
  // no quotes, because the driver's quoting costs more than the rest of the row.
  const insert = async (sql: Db["sql"] | TransactionSql) => {
    const result = await sql`
      insert into decisions (decided_at, decided_offset_ms, id, context, router, policy_revision, chosen, replica_set, decide_us,
        duration_ms, held_ms, predicted_ttft_ms, margin, ttft_ms, itl_ms, prompt_tokens_predicted,
        predicted_output_tokens, prompt_tokens, cached_tokens, output_tokens, request_uuid, request_id, stream_id, session_hash,
        unknown_model, filtered, detail)
      select decided_at, decided_offset_ms, id, context, router, policy_revision, chosen, replica_set, decide_us,
        duration_ms, held_ms, predicted_ttft_ms, margin, ttft_ms, itl_ms, prompt_tokens_predicted,
        predicted_output_tokens, prompt_tokens, cached_tokens, output_tokens, request_uuid, request_id, stream_id, session_hash,
        unknown_model, filtered::int[], decode(detail, 'hex')
      from unnest(
        ${plainArray(rows, (row) => new Date(row.idMs).toISOString())}::timestamptz[],
        ${plainArray(rows, (row) => textOf(row.decidedOffsetMs))}::float8[],
        ${plainArray(rows, (row) => row.uuid)}::uuid[],
        ${plainArray(rows, (row) => String(numberOf(contexts, row.context.identity)))}::int[],
        ${plainArray(rows, (row) => String(numberOf(routers, row.routerId)))}::int[],
        ${plainArray(rows, (row) => intText(row.record.decision.policyRevision))}::int[],
        ${plainArray(rows, (row) => (row.chosen === null ? null : String(numberOf(replicas, row.chosen))))}::int[],
        ${plainArray(sets, (set) => String(setNumbers.get(set.key)))}::int[],
        ${plainArray(rows, (row) => realText(row.record.decideUs))}::real[],
        ${plainArray(rows, (row) => realText(row.record.durationMs))}::real[],
        ${plainArray(rows, (row) => realText(row.record.heldMs === 0 ? null : row.record.heldMs))}::real[],
        ${plainArray(rows, (row) => realText(row.predictedTtftMs))}::real[],
        ${plainArray(rows, (row) => realText(row.margin))}::real[],
        ${plainArray(rows, (row) => realText(row.record.ttftMs))}::real[],
        ${plainArray(rows, (row) => realText(row.record.itlMs))}::real[],
        ${plainArray(rows, (row) => realText(row.record.promptTokensPredicted))}::real[],
        ${plainArray(rows, (row) => realText(row.predictedOutputTokens))}::real[],
        ${plainArray(rows, (row) => intText(row.record.promptTokens))}::int[],
        ${plainArray(rows, (row) => intText(row.record.cachedTokens))}::int[],
        ${plainArray(rows, (row) => intText(row.record.outputTokens))}::int[],
        ${plainArray(rows, (row) => row.requestUuid)}::uuid[],
        ${rows.map((row) => row.requestId)}::text[],
        ${rows.map((row) => row.streamId)}::text[],
        ${rows.map((row) => row.sessionHash)}::text[],
        ${rows.map((row) => row.unknownModel)}::text[],
        ${rows.map((row) => (row.filtered.length > 0 ? arrayText(row.filtered.map((id) => numberOf(replicas, id))) : null))}::text[],
        ${plainArray(details, (detail) => detail)}::text[]
      ) as row (decided_at, decided_offset_ms, id, context, router, policy_revision, chosen, replica_set, decide_us,
        duration_ms, held_ms, predicted_ttft_ms, margin, ttft_ms, itl_ms, prompt_tokens_predicted,
        predicted_output_tokens, prompt_tokens, cached_tokens, output_tokens, request_uuid, request_id, stream_id, session_hash,
        unknown_model, filtered, detail)
      on conflict do nothing`;
    return result.count;
  };
  const late = lateMinutes(
    rows.map((row) => row.idMs),
    Date.now(),
  );
  // Late rows and the note of them together: a note that came before or after could miss the rollup it is for.
  const store = () =>
    late.length === 0
      ? insert(db.sql)
      : db.sql.begin(async (tx) => {
          const stored = await insert(tx);
          await markLate(tx, late);
          return stored;
        });
  try {
    return await store();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(
      db,
      "decisions",
      rows.map((row) => dayOf(row.idMs)),
    );
    return await store();
  }
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value);
}

/** An array literal of texts that need no quotes: numbers, times, UUIDs, hex. */
function plainArray<T>(items: readonly T[], textOfItem: (item: T) => string | null): string {
  let literal = "{";
  for (const item of items) {
    if (literal.length > 1) literal += ",";
    literal += textOfItem(item) ?? "null";
  }
  return `${literal}}`;
}

/** Arrays of arrays travel as array literals, because unnest would flatten them. */
function arrayText(numbers: readonly number[]): string {
  return `{${numbers.join()}}`;
}
