import type { TransactionSql } from "postgres";
import type { Db } from "./connect.ts";

export const PARTITIONED_TABLES = [
  "decisions",
  "replica_snapshots",
  "replica_minutes",
  "replica_hours",
  "decision_minutes",
] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a moment, as `2026-11-30`. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/**
 * Makes the partitions of the days given, of one table, where they are missing. Works inside a transaction as well.
 * @returns how many were made.
 */
export async function ensurePartitions(
  db: Pick<Db, "sql"> | { readonly sql: TransactionSql },
  table: PartitionedTable,
  days: readonly string[],
): Promise<number> {
  let made = 0;
  for (const day of [...new Set(days)].sort()) {
    const rows = await db.sql<
      { made: boolean }[]
    >`select evenkeel_ensure_partition(${table}, ${day}::date) as made`;
    if (rows[0]?.made) made++;
  }
  return made;
}

/** Makes the partitions of yesterday to `daysAhead` from now, of every partitioned table. Call it daily or more often. */
export async function ensurePartitionsAhead(db: Db, nowMs: number, daysAhead = 7): Promise<number> {
  const days = Array.from({ length: daysAhead + 2 }, (_, i) => dayOf(nowMs + (i - 1) * DAY_MS));
  let made = 0;
  for (const table of PARTITIONED_TABLES) made += await ensurePartitions(db, table, days);
  return made;
}

/** Whether Postgres refused rows because no partition takes their day. */
export function isMissingPartition(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "23514" &&
    error.message.includes("no partition")
  );
}

export interface Partition {
  readonly name: string;
  readonly day: string;
  /** With its indexes. */
  readonly bytes: number;
  /** As the planner estimates it; null when never analysed. */
  readonly rows: number | null;
}

/** Partitions of a table, oldest first, with their size. */
export async function listPartitions(db: Db, table: PartitionedTable): Promise<Partition[]> {
  const rows = await db.sql<{ name: string; bytes: string; rows: number }[]>`
    select c.relname as name, pg_total_relation_size(c.oid) as bytes, c.reltuples as rows
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${`public.${table}`}::regclass order by c.relname`;
  return rows.map((row) => ({
    name: row.name,
    day: row.name.slice(-8).replace(/(\d{4})(\d{2})(\d{2})/, "$1-$2-$3"),
    bytes: Number(row.bytes),
    rows: row.rows < 0 ? null : row.rows,
  }));
}

/**
 * Drops the partitions of whole days before `beforeDay`. Gives up after two seconds when a long query holds the table,
 * rather than make every other query wait behind it: call again later.
 * @returns the names of those dropped.
 */
export async function dropPartitions(db: Db, table: PartitionedTable, beforeDay: string): Promise<string[]> {
  const rows = await db.sql<{ name: string }[]>`
    select name from evenkeel_drop_partitions(${table}, ${beforeDay}::date) as name`;
  return rows.map((row) => row.name);
}
