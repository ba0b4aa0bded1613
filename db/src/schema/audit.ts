import { bigint, index, inet, jsonb, pgEnum, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Where a change came from. */
export const auditOrigin = pgEnum("audit_origin", ["ui", "api", "cli", "router"]);

/** Who changed what, when, from where and why. Append-only, written in the transaction of the change itself. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
    actor: text("actor").notNull(),
    /** The actor's role at that moment; null when it has none, as a router. */
    role: text("role"),
    /** Verb with its subject, as `policy.publish`. */
    action: text("action").notNull(),
    /** What it was done to, as `policy/42`. */
    object: text("object").notNull(),
    /** Semantic diff: see `DocumentChange`. */
    diff: jsonb("diff").notNull(),
    reason: text("reason").notNull(),
    origin: auditOrigin("origin").notNull(),
    ip: inet("ip"),
    requestId: text("request_id"),
  },
  (table) => [index("audit_entries_at").on(table.at), index("audit_entries_object").on(table.object)],
);
