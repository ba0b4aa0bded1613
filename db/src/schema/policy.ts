import { index, integer, jsonb, pgEnum, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** How a revision came to be. */
export const policyRevisionKind = pgEnum("policy_revision_kind", ["initial", "publish", "rollback"]);

/** Immutable, numbered without gaps; the highest revision is the live one. */
export const policyRevisions = pgTable("policy_revisions", {
  revision: integer("revision").primaryKey(),
  kind: policyRevisionKind("kind").notNull(),
  /** The document as published, with every default filled in. */
  document: jsonb("document").notNull(),
  /** The YAML as it was typed, comments included. */
  source: text("source").notNull(),
  /** The revision that was live when this one was written; null for the first. */
  baseRevision: integer("base_revision"),
  /** For a rollback, the revision whose document it brings back. */
  ofRevision: integer("of_revision"),
  author: text("author").notNull(),
  reason: text("reason").notNull(),
  publishedAt: timestamp("published_at", { withTimezone: true }).notNull().defaultNow(),
});

export const policyAckStatus = pgEnum("policy_ack_status", ["applied", "refused"]);

/** A router's word on a revision. Append-only: the latest row of a router and revision counts. */
export const policyAcks = pgTable(
  "policy_acks",
  {
    routerId: text("router_id").notNull(),
    revision: integer("revision")
      .notNull()
      .references(() => policyRevisions.revision),
    status: policyAckStatus("status").notNull(),
    /** Why it was refused; null when applied. */
    problem: text("problem"),
    ackedAt: timestamp("acked_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.routerId, table.revision, table.ackedAt] }),
    index("policy_acks_revision").on(table.revision),
  ],
);
