import { bigint, integer, pgTable, primaryKey, real, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";

/** What a replica did in one stretch of time. Histograms are those of `LogHistogram`, null when empty. */
const columns = {
  startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
  /** `replicas.num` */
  replica: integer("replica").notNull(),
  /** Requests decided in this time that were sent there. */
  requests: integer("requests").notNull(),
  failures: integer("failures").notNull(),
  promptTokens: bigint("prompt_tokens", { mode: "number" }).notNull(),
  cachedTokens: bigint("cached_tokens", { mode: "number" }).notNull(),
  outputTokens: bigint("output_tokens", { mode: "number" }).notNull(),
  /** Snapshots behind the means and peaks; those of a signal that was never known are null. */
  snapshots: integer("snapshots").notNull(),
  kvOccupancyMean: real("kv_occupancy_mean"),
  kvOccupancyMax: real("kv_occupancy_max"),
  queueDepthMean: real("queue_depth_mean"),
  queueDepthMax: real("queue_depth_max"),
  runningMean: real("running_mean"),
  runningMax: real("running_max"),
  ttftMs: bytea("ttft_ms"),
  itlMs: bytea("itl_ms"),
  heldMs: bytea("held_ms"),
  promptLength: bytea("prompt_length"),
  outputLength: bytea("output_length"),
};

/** One row per replica and minute, partitioned by day. */
export const replicaMinutes = pgTable("replica_minutes", columns, (table) => [
  primaryKey({ columns: [table.startedAt, table.replica] }),
]);

/** One row per replica and hour, partitioned by day; for months and years. */
export const replicaHours = pgTable("replica_hours", columns, (table) => [
  primaryKey({ columns: [table.startedAt, table.replica] }),
]);

/** Up to where minutes are rolled up. One row. */
export const rollupProgress = pgTable("rollup_progress", {
  id: integer("id").primaryKey(),
  minutesDoneTo: timestamp("minutes_done_to", { withTimezone: true }).notNull(),
});

/** Minutes that got decisions after they were rolled up, as after an outage: to be done again. */
export const lateMinutes = pgTable("late_minutes", {
  startedAt: timestamp("started_at", { withTimezone: true }).primaryKey(),
});
