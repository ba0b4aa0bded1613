import type { Db } from "@evenkeel/db/connect";
import type { PendingQuery, Row } from "postgres";
import { type DecisionFilter, REJECTED } from "./decision-filter.ts";

/**
 * The filter as a condition on `decisions d`. What many rows share is looked up in `decision_contexts` first, so that
 * the filter becomes a short list of numbers and no join multiplies the rows read.
 */
export function decisionConditions(db: Db, filter: DecisionFilter): PendingQuery<Row[]> {
  const { sql } = db;
  const shared = contextConditions(db, filter);
  return sql`
    d.decided_at >= ${new Date(filter.fromMs)}
    ${filter.toMs === null ? sql`` : sql`and d.decided_at < ${new Date(filter.toMs)}`}
    ${shared === null ? sql`` : sql`and d.context in (select num from decision_contexts c where ${shared})`}
    ${
      filter.model === null
        ? sql``
        : sql`and (d.unknown_model = ${filter.model} or d.context in (
            select num from decision_contexts where model = ${filter.model} or base_model = ${filter.model}))`
    }
    ${filter.chosen === null ? sql`` : sql`and d.chosen = (select num from replicas where id = ${filter.chosen})`}
    ${
      filter.lost === null
        ? sql``
        : sql`and d.replica_set in (
              select s.num from replica_sets s join replicas r on r.id = ${filter.lost} where s.members @> array[r.num])
            and d.chosen is distinct from (select num from replicas where id = ${filter.lost})
            and (select num from replicas where id = ${filter.lost}) <> all(coalesce(d.filtered, '{}'))`
    }
    ${filter.session === null ? sql`` : sql`and starts_with(d.session_hash, ${filter.session})`}
    ${filter.revision === null ? sql`` : sql`and d.policy_revision = ${filter.revision}`}
    ${filter.router === null ? sql`` : sql`and d.router = (select num from routers where id = ${filter.router})`}
    ${filter.marginBelow === null ? sql`` : sql`and d.margin < ${filter.marginBelow}`}`;
}

/** Conditions on `decision_contexts c`, null when the filter has none there. */
function contextConditions(db: Db, filter: DecisionFilter): PendingQuery<Row[]> | null {
  const { sql } = db;
  const parts = [
    ...(filter.pool === null ? [] : [sql`c.pool = ${filter.pool}`]),
    ...(filter.reason === null
      ? []
      : [filter.reason === REJECTED ? sql`c.reject_code is not null` : sql`c.reason = ${filter.reason}`]),
    ...(filter.outcome === null ? [] : [sql`c.outcome = ${filter.outcome}`]),
    ...(filter.errorCode === null ? [] : [sql`c.error_code = ${filter.errorCode}`]),
    ...(filter.strategy === null ? [] : [sql`c.strategy = ${filter.strategy}`]),
  ];
  const [first, ...rest] = parts;
  return first === undefined ? null : rest.reduce((all, part) => sql`${all} and ${part}`, first);
}
