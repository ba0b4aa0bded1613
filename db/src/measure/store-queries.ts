/** A query of the console, with `$from` and `$to` as the bounds of its time range, `$session` as one that is there. */
export interface StoreQuery {
  readonly name: string;
  readonly condition: string;
  /** Condition on `decision_contexts c`, looked up first: their numbers tell the planner how rare the rows are, and none ends the search. */
  readonly contexts?: string;
}

/** What the decisions page asks, over the whole range, newest first: the common and the rare value of each filter. */
export const STORE_QUERIES: readonly StoreQuery[] = [
  { name: "no filter", condition: "true" },
  { name: "model, the most used", condition: "true", contexts: "c.base_model = 'model-0'" },
  { name: "model, the least used", condition: "true", contexts: "c.base_model = 'model-7'" },
  { name: "adapter", condition: "true", contexts: "c.adapter = 'adapter-7'" },
  { name: "chosen replica", condition: "d.chosen = (select num from replicas where id = 'r-003')" },
  {
    name: "replica that lost",
    condition: `d.replica_set in (select s.num from replica_sets s join replicas r on r.id = 'r-003' where s.members @> array[r.num])
      and d.chosen is distinct from (select num from replicas where id = 'r-003')
      and (select num from replicas where id = 'r-003') <> all (coalesce(d.filtered, '{}'))`,
  },
  {
    name: "session",
    condition: `left(d.session_hash, 8) collate "C" = left($session, 8) and starts_with(d.session_hash, $session)`,
  },
  { name: "revision without decisions", condition: "d.policy_revision = 7" },
  { name: "outcome", condition: "true", contexts: "c.outcome = 'upstream_failed'" },
  { name: "outcome that never was", condition: "true", contexts: "c.outcome = 'broken_stream'" },
  { name: "error code", condition: "true", contexts: "c.error_code = 'saturated'" },
  { name: "reason, rare", condition: "true", contexts: "c.reason = 'retry'" },
  {
    name: "context, the rarest",
    condition: "true",
    contexts: "c.num = (select max(context) from decisions where decided_at < $from + interval '1 hour')",
  },
  { name: "margin below 1 ms", condition: "d.margin < 1" },
  { name: "margin below 0: a dearer replica was chosen", condition: "d.margin < 0" },
  { name: "TTFT over twice the predicted", condition: "d.ttft_ms > 2 * d.predicted_ttft_ms" },
];
