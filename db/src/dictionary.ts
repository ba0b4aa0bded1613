import type { Db } from "./connect.ts";
import { DbError } from "./db-error.ts";

/**
 * The numbers of replicas, by id; those never seen before get one. Read anew for each batch rather than remembered: a
 * database that was restored or replaced under a running router must not receive another database's numbers.
 */
export function replicaNumbers(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, number>> {
  return numbersOf(db, "replicas", ids);
}

/** As `replicaNumbers`, for routers. */
export function routerNumbers(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, number>> {
  return numbersOf(db, "routers", ids);
}

/** The number of an id that was asked for. @throws DbError invalid_record when it was not. */
export function numberOf(numbers: ReadonlyMap<string, number>, id: string): number {
  const number = numbers.get(id);
  if (number === undefined)
    throw new DbError("invalid_record", `no number was looked up for ${JSON.stringify(id)}`);
  return number;
}

async function numbersOf(
  db: Db,
  table: "replicas" | "routers",
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(ids)].sort();
  const numbers = new Map<string, number>();
  if (wanted.length === 0) return numbers;
  const read = async () => {
    const rows = await db.sql<{ id: string; num: number }[]>`
      select id, num from ${db.sql(table)} where id = any(${wanted}::text[])`;
    for (const row of rows) numbers.set(row.id, row.num);
  };
  await read();
  const unknown = wanted.filter((id) => !numbers.has(id));
  if (unknown.length > 0) {
    await db.sql`insert into ${db.sql(table)} (id) select unnest(${unknown}::text[]) on conflict do nothing`;
    await read();
  }
  return numbers;
}
