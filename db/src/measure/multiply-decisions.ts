import type { Db } from "../connect.ts";
import { dayOf, ensurePartitions } from "../partitions.ts";

/**
 * Fills the store from a sample already in it, each copy later by `spanMs`: millions of rows in minutes, with ids, requests
 * and sessions of their own, so that no index is easier on them than on real ones.
 */
export async function multiplyDecisions(
  db: Db,
  sample: { readonly startMs: number; readonly spanMs: number },
  copies: number,
  onCopy: (copy: number) => void,
): Promise<void> {
  const { startMs, spanMs } = sample;
  const endMs = startMs + (copies + 1) * spanMs;
  const days: string[] = [];
  for (let day = startMs; day < endMs + 86_400_000; day += 86_400_000) days.push(dayOf(day));
  await ensurePartitions(db, "decisions", days);
  for (let copy = 1; copy <= copies; copy++) {
    await db.sql`
      insert into decisions
      select moved.at, decided_offset_ms,
        (lpad(to_hex((extract(epoch from moved.at) * 1000)::bigint), 12, '0') || substr(md5(id::text || ${copy}::text), 1, 20))::uuid,
        context, router, policy_revision, chosen, replica_set, decide_us, duration_ms, held_ms, predicted_ttft_ms, margin,
        ttft_ms, itl_ms, prompt_tokens_predicted, predicted_output_tokens, prompt_tokens, cached_tokens, output_tokens,
        gen_random_uuid(), request_id, stream_id, substr(md5(session_hash || ${copy}::text), 1, 16), unknown_model, filtered,
        detail
      from decisions, lateral (select decided_at + ${copy} * ${`${spanMs} milliseconds`}::interval as at) as moved
      where decided_at >= ${new Date(startMs)} and decided_at < ${new Date(startMs + spanMs)}`;
    onCopy(copy);
  }
}
