import type postgres from "postgres";

/** A value for a jsonb column. The driver's own type admits only values it can prove are JSON, which interfaces never are. */
export function jsonParameter(
  sql: postgres.Sql | postgres.TransactionSql,
  value: unknown,
): postgres.Parameter {
  return sql.json(value as postgres.JSONValue); // Cast: see above; what JSON cannot hold is dropped by JSON.stringify.
}
