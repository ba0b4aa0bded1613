import type { Db } from "@evenkeel/db/connect";

/** When the oldest kept replica snapshot was taken, null when there is none: the head of the primary key's index. */
export async function readFirstDataMs(db: Db): Promise<number | null> {
  const [row] = await db.sql<{ first: Date | null }[]>`select min(taken_at) as first from replica_snapshots`;
  return row?.first?.getTime() ?? null;
}
