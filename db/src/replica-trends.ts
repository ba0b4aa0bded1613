import type postgres from "postgres";
import type { Db } from "./connect.ts";
import { LogHistogram } from "./log-histogram.ts";
import type { ReplicaTrend } from "./replica-trend.ts";
import { intText, realText } from "./sql-number.ts";

export type TrendTable = "replica_minutes" | "replica_hours";

/** Trends of a time range, oldest first; of the replicas given by number, or of all. */
export async function readReplicaTrends(
  db: Db,
  table: TrendTable,
  range: { readonly fromMs: number; readonly toMs: number; readonly replicas?: readonly number[] },
): Promise<ReplicaTrend[]> {
  return await readTrends(db.sql, table, range);
}

/** As `readReplicaTrends`, inside a transaction. */
export async function readTrends(
  sql: postgres.Sql | postgres.TransactionSql,
  table: TrendTable,
  range: { readonly fromMs: number; readonly toMs: number; readonly replicas?: readonly number[] },
): Promise<ReplicaTrend[]> {
  const rows = await sql<TrendRow[]>`
    select * from ${sql(table)}
    where started_at >= ${new Date(range.fromMs)} and started_at < ${new Date(range.toMs)}
      ${range.replicas ? sql`and replica = any(${range.replicas.map(String)}::int[])` : sql``}
    order by started_at, replica`;
  return rows.map(trendOf);
}

/**
 * Writes trends over those of the same time and replica, unless those know more: records are only added, so a trend of fewer
 * was made after retention had dropped some of them.
 */
export async function writeTrends(
  sql: postgres.Sql | postgres.TransactionSql,
  table: TrendTable,
  trends: readonly ReplicaTrend[],
): Promise<void> {
  if (trends.length === 0) return;
  const column = (read: (trend: ReplicaTrend) => string | null) => trends.map(read);
  const hex = (read: (trend: ReplicaTrend) => LogHistogram) =>
    trends.map((trend) => {
      const bytes = read(trend).encode();
      return bytes === null ? null : Buffer.from(bytes).toString("hex");
    });
  await sql`
    insert into ${sql(table)} as current (started_at, replica, requests, failures, prompt_tokens, cached_tokens, output_tokens,
      snapshots, kv_occupancy_mean, kv_occupancy_max, queue_depth_mean, queue_depth_max, running_mean, running_max,
      ttft_ms, itl_ms, held_ms, prompt_length, output_length)
    select started_at, replica, requests, failures, prompt_tokens, cached_tokens, output_tokens, snapshots,
      kv_mean, kv_max, queue_mean, queue_max, running_mean, running_max, decode(ttft, 'hex'), decode(itl, 'hex'),
      decode(held, 'hex'), decode(prompt, 'hex'), decode(output, 'hex')
    from unnest(
      ${column((t) => new Date(t.startedAtMs).toISOString())}::timestamptz[],
      ${column((t) => intText(t.replica))}::int[],
      ${column((t) => intText(t.requests))}::int[],
      ${column((t) => intText(t.failures))}::int[],
      ${column((t) => String(t.promptTokens))}::bigint[],
      ${column((t) => String(t.cachedTokens))}::bigint[],
      ${column((t) => String(t.outputTokens))}::bigint[],
      ${column((t) => intText(t.snapshots))}::int[],
      ${column((t) => realText(t.kvOccupancy.mean))}::real[],
      ${column((t) => realText(t.kvOccupancy.max))}::real[],
      ${column((t) => realText(t.queueDepth.mean))}::real[],
      ${column((t) => realText(t.queueDepth.max))}::real[],
      ${column((t) => realText(t.running.mean))}::real[],
      ${column((t) => realText(t.running.max))}::real[],
      ${hex((t) => t.ttftMs)}::text[],
      ${hex((t) => t.itlMs)}::text[],
      ${hex((t) => t.heldMs)}::text[],
      ${hex((t) => t.promptLength)}::text[],
      ${hex((t) => t.outputLength)}::text[]
    ) as row (started_at, replica, requests, failures, prompt_tokens, cached_tokens, output_tokens, snapshots,
      kv_mean, kv_max, queue_mean, queue_max, running_mean, running_max, ttft, itl, held, prompt, output)
    on conflict (started_at, replica) do update set requests = excluded.requests, failures = excluded.failures,
      prompt_tokens = excluded.prompt_tokens, cached_tokens = excluded.cached_tokens,
      output_tokens = excluded.output_tokens, snapshots = excluded.snapshots,
      kv_occupancy_mean = excluded.kv_occupancy_mean, kv_occupancy_max = excluded.kv_occupancy_max,
      queue_depth_mean = excluded.queue_depth_mean, queue_depth_max = excluded.queue_depth_max,
      running_mean = excluded.running_mean, running_max = excluded.running_max, ttft_ms = excluded.ttft_ms,
      itl_ms = excluded.itl_ms, held_ms = excluded.held_ms, prompt_length = excluded.prompt_length,
      output_length = excluded.output_length
    where excluded.requests >= current.requests and excluded.snapshots >= current.snapshots`;
}

interface TrendRow {
  readonly started_at: Date;
  readonly replica: number;
  readonly requests: number;
  readonly failures: number;
  readonly prompt_tokens: string;
  readonly cached_tokens: string;
  readonly output_tokens: string;
  readonly snapshots: number;
  readonly kv_occupancy_mean: number | null;
  readonly kv_occupancy_max: number | null;
  readonly queue_depth_mean: number | null;
  readonly queue_depth_max: number | null;
  readonly running_mean: number | null;
  readonly running_max: number | null;
  readonly ttft_ms: Uint8Array | null;
  readonly itl_ms: Uint8Array | null;
  readonly held_ms: Uint8Array | null;
  readonly prompt_length: Uint8Array | null;
  readonly output_length: Uint8Array | null;
}

function trendOf(row: TrendRow): ReplicaTrend {
  return {
    startedAtMs: row.started_at.getTime(),
    replica: row.replica,
    requests: row.requests,
    failures: row.failures,
    promptTokens: Number(row.prompt_tokens),
    cachedTokens: Number(row.cached_tokens),
    outputTokens: Number(row.output_tokens),
    snapshots: row.snapshots,
    kvOccupancy: { mean: row.kv_occupancy_mean, max: row.kv_occupancy_max },
    queueDepth: { mean: row.queue_depth_mean, max: row.queue_depth_max },
    running: { mean: row.running_mean, max: row.running_max },
    ttftMs: LogHistogram.decode(row.ttft_ms),
    itlMs: LogHistogram.decode(row.itl_ms),
    heldMs: LogHistogram.decode(row.held_ms),
    promptLength: LogHistogram.decode(row.prompt_length),
    outputLength: LogHistogram.decode(row.output_length),
  };
}
