import { bigint, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Router processes, alive or gone. */
export const routers = pgTable("routers", {
  /** Short number used in rows written by the million. */
  num: integer("num").generatedAlwaysAsIdentity().notNull().unique(),
  id: text("id").primaryKey(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
  lastSeenAt: timestamp("last_seen_at", { withTimezone: true }).notNull().defaultNow(),
  version: text("version"),
  host: text("host"),
  /** The revision it routes by; null before it has one. */
  policyRevision: integer("policy_revision"),
  /** Records waiting in memory, waiting on disk, and dropped since the router started. */
  recordsQueued: bigint("records_queued", { mode: "number" }).notNull().default(0),
  recordsSpooled: bigint("records_spooled", { mode: "number" }).notNull().default(0),
  recordsDropped: bigint("records_dropped", { mode: "number" }).notNull().default(0),
});

/**
 * Every replica ever seen. `num` stands for it in decisions and snapshots and is never used again for another.
 * What is not known (a replica named by a decision before it was registered) is null.
 */
export const replicas = pgTable("replicas", {
  num: integer("num").generatedAlwaysAsIdentity().notNull().unique(),
  id: text("id").primaryKey(),
  model: text("model"),
  engine: text("engine"),
  role: text("role"),
  labels: jsonb("labels").$type<Record<string, string>>(),
  segment: text("segment"),
  firstSeenAt: timestamp("first_seen_at", { withTimezone: true }).notNull().defaultNow(),
  lastSeenAt: timestamp("last_seen_at", { withTimezone: true }).notNull().defaultNow(),
  /** When a router last reported it gone; null while it is in the fleet. */
  removedAt: timestamp("removed_at", { withTimezone: true }),
});
