import type { Db } from "./connect.ts";
import { DbError } from "./db-error.ts";
import {
  dayOf,
  dropPartitions,
  listPartitions,
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
} from "./partitions.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole days kept besides the present one, by table. */
export type RetentionDays = Readonly<Record<PartitionedTable, number>>;

/** What a retention does to one table, or would do. */
export interface RetentionPlan {
  readonly table: PartitionedTable;
  /** Partitions of days before this one go. */
  readonly beforeDay: string;
  readonly drop: readonly Partition[];
  readonly bytes: number;
  readonly bytesAfter: number;
  /** Mean of the last complete days, at most seven; null before there is one. */
  readonly bytesPerDay: number | null;
  /** Where the table's size levels off if days stay like these; null as long as that is not known. */
  readonly bytesForecast: number | null;
}

/** What keeping that many days would drop and how large the tables will get. Changes nothing. */
export async function planRetention(db: Db, days: RetentionDays, nowMs: number): Promise<RetentionPlan[]> {
  const plans: RetentionPlan[] = [];
  for (const table of PARTITIONED_TABLES) {
    plans.push(planOf(table, await listPartitions(db, table), keptDays(table, days), nowMs));
  }
  return plans;
}

/**
 * Drops what is older than the days to keep. One table after the other: a table that is locked by a long query is left for the
 * next time and does not keep the others from being cleared.
 * @returns what was dropped, by table; the error where a table could not be cleared.
 */
export async function enforceRetention(
  db: Db,
  days: RetentionDays,
  nowMs: number,
): Promise<{ table: PartitionedTable; dropped: string[]; error: Error | null }[]> {
  const results: { table: PartitionedTable; dropped: string[]; error: Error | null }[] = [];
  for (const { table, beforeDay, drop } of await planRetention(db, days, nowMs)) {
    if (drop.length === 0) continue;
    try {
      results.push({ table, dropped: await dropPartitions(db, table, beforeDay), error: null });
    } catch (error) {
      results.push({ table, dropped: [], error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  return results;
}

function planOf(
  table: PartitionedTable,
  partitions: readonly Partition[],
  days: number,
  nowMs: number,
): RetentionPlan {
  const today = dayOf(nowMs);
  const beforeDay = dayOf(nowMs - days * DAY_MS);
  const drop = partitions.filter((partition) => partition.day < beforeDay);
  const complete = partitions
    .filter((partition) => partition.day < today && (partition.rows ?? 1) > 0)
    .slice(-7);
  const bytesPerDay = complete.length === 0 ? null : bytesOf(complete) / complete.length;
  const bytes = bytesOf(partitions);
  return {
    table,
    beforeDay,
    drop,
    bytes,
    bytesAfter: bytes - bytesOf(drop),
    bytesPerDay,
    bytesForecast: bytesPerDay === null ? null : bytesPerDay * (days + 1),
  };
}

/** @throws DbError invalid_retention */
function keptDays(table: PartitionedTable, days: RetentionDays): number {
  const kept = days[table];
  if (Number.isInteger(kept) && kept >= 1 && kept <= 36_500) return kept;
  throw new DbError("invalid_retention", `retention of ${table} must be 1 to 36500 whole days, not ${kept}`);
}

function bytesOf(partitions: readonly Partition[]): number {
  return partitions.reduce((sum, partition) => sum + partition.bytes, 0);
}
