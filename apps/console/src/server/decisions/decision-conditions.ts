import type { Db } from "@evenkeel/db/connect";
import type { PendingQuery, Row } from "postgres";
import type { DecisionFilter } from "./decision-filter.ts";
import { REJECTED } from "./every-decision.ts";

/** A filter whose shared part is known by number. */
export interface DecisionScope {
  readonly filter: DecisionFilter;
  /** `decision_contexts.num` whose decisions all match the shared part; null: every context. */
  readonly contexts: readonly number[] | null;
  /** Contexts of models that no replica serves: of theirs only the decisions that asked for the filter's model match. */
  readonly unservedContexts: readonly number[];
}

/**
 * Looks up what many decisions share. A query of its own: the numbers tell the planner how rare their rows are, and
 * null, when no context fits, spares the search for decisions that cannot be there.
 */
export async function decisionScope(db: Db, filter: DecisionFilter): Promise<DecisionScope | null> {
  const { sql } = db;
  const shared = contextConditions(db, filter);
  if (shared === null && filter.model === null) return { filter, contexts: null, unservedContexts: [] };
  const rows = await sql<{ num: number; isServed: boolean }[]>`
    select num, model is not null as "isServed" from decision_contexts c
    where ${shared ?? sql`true`}
    ${
      filter.model === null
        ? sql``
        : sql`and (c.model = ${filter.model} or c.base_model = ${filter.model} or c.model is null)`
    }`;
  if (rows.length === 0) return null;
  const numbers = (isServed: boolean) =>
    rows.filter((row) => filter.model === null || row.isServed === isServed).map((row) => row.num);
  return {
    filter,
    contexts: numbers(true),
    unservedContexts: filter.model === null ? [] : numbers(false),
  };
}

/** The scope as a condition on `decisions d`. */
export function decisionConditions(db: Db, scope: DecisionScope): PendingQuery<Row[]> {
  const { sql } = db;
  const { filter } = scope;
  return sql`
    d.decided_at >= ${new Date(filter.fromMs)}
    ${filter.toMs === null ? sql`` : sql`and d.decided_at < ${new Date(filter.toMs)}`}
    ${inContexts(db, scope)}
    ${filter.chosen === null ? sql`` : sql`and d.chosen = (select num from replicas where id = ${filter.chosen})`}
    ${
      filter.lost === null
        ? sql``
        : sql`and d.replica_set in (
              select s.num from replica_sets s join replicas r on r.id = ${filter.lost} where s.members @> array[r.num])
            and d.chosen is distinct from (select num from replicas where id = ${filter.lost})
            and (select num from replicas where id = ${filter.lost}) <> all(coalesce(d.filtered, '{}'))`
    }
    ${
      filter.session === null
        ? sql``
        : sql`and ${sessionIndexCondition(db, filter.session)} and starts_with(d.session_hash, ${filter.session})`
    }
    ${filter.revision === null ? sql`` : sql`and d.policy_revision = ${filter.revision}`}
    ${filter.router === null ? sql`` : sql`and d.router = (select num from routers where id = ${filter.router})`}
    ${filter.marginBelow === null ? sql`` : sql`and d.margin < ${filter.marginBelow}::float8`}`;
}

function inContexts(db: Db, { filter, contexts, unservedContexts }: DecisionScope): PendingQuery<Row[]> {
  const { sql } = db;
  if (contexts === null) return sql``;
  const any = (numbers: readonly number[]) => sql`d.context = any(${numbers.map(String)}::int[])`;
  if (unservedContexts.length === 0) return sql`and ${any(contexts)}`;
  return sql`and ${any([...contexts, ...unservedContexts])}
    and (${any(contexts)} or d.unknown_model = ${filter.model})`;
}

/** The index holds the first eight characters: a longer start is looked for by those, a shorter one as a range of theirs. */
function sessionIndexCondition(db: Db, start: string): PendingQuery<Row[]> {
  const { sql } = db;
  const indexed = sql`left(d.session_hash, 8) collate "C"`;
  return [...start].length >= 8
    ? sql`${indexed} = left(${start}, 8)`
    : sql`${indexed} >= ${start} and ${indexed} < ${`${start}\u{10FFFF}`}`;
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
