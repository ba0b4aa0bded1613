import { createHash } from "node:crypto";
import type { Db } from "./connect.ts";
import { DbError } from "./db-error.ts";
import { numberOf } from "./dictionary.ts";
import { uuidOfDigest } from "./uuid-of-digest.ts";

/** A row of `replica_sets` without its number. */
export interface ReplicaSet {
  readonly key: string;
  /** `replicas.num`, ascending. */
  readonly members: readonly number[];
  /** Where a replica stands in `members`. @throws DbError invalid_record when it is no member. */
  positionOf(replica: string): number;
}

/** The sets of a batch: rows of it mostly share theirs, so each is worked out once. */
export class ReplicaSets {
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #known = new Map<string, ReplicaSet>();

  /** @param numbers of every replica that will be named */
  constructor(numbers: ReadonlyMap<string, number>) {
    this.#numbers = numbers;
  }

  /** The set of replicas named by their ids. @param ids sorted, each once */
  of(ids: readonly string[]): ReplicaSet {
    const identity = ids.join("\u0000");
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    const set = replicaSetOf(ids, this.#numbers);
    this.#known.set(identity, set);
    return set;
  }
}

function replicaSetOf(ids: readonly string[], numbers: ReadonlyMap<string, number>): ReplicaSet {
  const members = ids.map((id) => ({ id, num: numberOf(numbers, id) })).sort((a, b) => a.num - b.num);
  const positions = new Map(members.map(({ id }, position) => [id, position]));
  const nums = members.map(({ num }) => num);
  return {
    key: uuidOfDigest(createHash("sha256").update(nums.join()).digest("hex")),
    members: nums,
    positionOf: (id) => {
      const position = positions.get(id);
      if (position === undefined) {
        throw new DbError("invalid_record", `replica ${id} is not in the row's set`);
      }
      return position;
    },
  };
}

/** The numbers of sets by their key; new ones are added. */
export async function replicaSetNumbers(
  db: Db,
  sets: readonly ReplicaSet[],
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map(sets.map((set) => [set.key, set]));
  const numbers = await readNumbers(db, [...byKey.keys()]);
  const unknown = [...byKey.values()]
    .filter((set) => !numbers.has(set.key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  if (unknown.length === 0) return numbers;
  await db.sql`
    insert into replica_sets (key, members)
    select key, members::int[] from unnest(${unknown.map((set) => set.key)}::uuid[],
      ${unknown.map((set) => `{${set.members.join()}}`)}::text[]) as row (key, members)
    on conflict do nothing`;
  return new Map([
    ...numbers,
    ...(await readNumbers(
      db,
      unknown.map((set) => set.key),
    )),
  ]);
}

async function readNumbers(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.sql<{ key: string; num: number }[]>`
    select key, num from replica_sets where key = any(${[...keys]}::uuid[])`;
  return new Map(rows.map((row) => [row.key, row.num]));
}
