/** A query of the console, with `$from` and `$to` as the bounds of its time range, `$session` as one that is there. */
export interface StoreQuery {
  readonly name: string;
  readonly sql: string;
}

const PAGE = "order by d.decided_at desc, d.id desc limit 101";

function page(name: string, condition: string): StoreQuery {
  return {
    name,
    sql: `select d.id from decisions d where d.decided_at >= $from and d.decided_at < $to and ${condition} ${PAGE}`,
  };
}

function contexts(condition: string): string {
  return `d.context in (select num from decision_contexts c where ${condition})`;
}

/** What the decisions page asks, over the whole range, newest first: the common and the rare value of each filter. */
export const STORE_QUERIES: readonly StoreQuery[] = [
  page("no filter", "true"),
  page("model, the most used", contexts("c.base_model = 'model-0'")),
  page("model, the least used", contexts("c.base_model = 'model-7'")),
  page("adapter", contexts("c.adapter = 'adapter-7'")),
  page("chosen replica", "d.chosen = (select num from replicas where id = 'r-003')"),
  page(
    "replica that lost",
    `d.replica_set in (select s.num from replica_sets s join replicas r on r.id = 'r-003' where s.members @> array[r.num])
     and d.chosen is distinct from (select num from replicas where id = 'r-003')
     and (select num from replicas where id = 'r-003') <> all (coalesce(d.filtered, '{}'))`,
  ),
  page(
    "session",
    'left(d.session_hash, 8) collate "C" = left($session, 8) and starts_with(d.session_hash, $session)',
  ),
  page("revision without decisions", "d.policy_revision = 7"),
  page("outcome", contexts("c.outcome = 'upstream_failed'")),
  page("outcome that never was", contexts("c.outcome = 'broken_stream'")),
  page("error code", contexts("c.error_code = 'saturated'")),
  page("reason, rare", contexts("c.reason = 'retry'")),
  page("margin below 1 ms", "d.margin < 1"),
  page("margin below 0: a dearer replica was chosen", "d.margin < 0"),
  page("TTFT over twice the predicted", "d.ttft_ms > 2 * d.predicted_ttft_ms"),
];
