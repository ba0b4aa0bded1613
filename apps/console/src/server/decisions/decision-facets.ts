import type { Db } from "@evenkeel/db/connect";

/** Values that filters can take, for the menus. Hostile or not, they are shown as text. */
export interface DecisionFacets {
  readonly models: readonly string[];
  readonly pools: readonly string[];
  readonly replicas: readonly string[];
  readonly strategies: readonly string[];
  readonly errorCodes: readonly string[];
  readonly routers: readonly string[];
  /** Newest first, at most 50. */
  readonly revisions: readonly number[];
}

/** Reads the values from the small tables that decisions point to. */
export async function decisionFacets(db: Db): Promise<DecisionFacets> {
  const { sql } = db;
  const distinct = async (column: "model" | "pool" | "strategy" | "error_code") => {
    const rows = await sql<{ value: string }[]>`
      select distinct ${sql(column)} as value from decision_contexts
      where ${sql(column)} is not null order by 1 limit 500`;
    return rows.map((row) => row.value);
  };
  const ids = async (table: "replicas" | "routers") => {
    const rows = await sql<{ id: string }[]>`select id from ${sql(table)} order by id limit 2000`;
    return rows.map((row) => row.id);
  };
  const [models, pools, strategies, errorCodes, replicas, routers, revisions] = await Promise.all([
    distinct("model"),
    distinct("pool"),
    distinct("strategy"),
    distinct("error_code"),
    ids("replicas"),
    ids("routers"),
    sql<{ revision: number }[]>`select revision from policy_revisions order by revision desc limit 50`,
  ]);
  return {
    models,
    pools,
    strategies,
    errorCodes,
    replicas,
    routers,
    revisions: revisions.map((row) => row.revision),
  };
}
