import { integer, pgTable, primaryKey, timestamp } from "drizzle-orm/pg-core";

/** How many decisions of a context each minute had, partitioned by day: charts over days count these, not the decisions. */
export const decisionMinutes = pgTable(
  "decision_minutes",
  {
    startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
    /** `decision_contexts.num` */
    context: integer("context").notNull(),
    decisions: integer("decisions").notNull(),
  },
  (table) => [primaryKey({ columns: [table.startedAt, table.context] })],
);
