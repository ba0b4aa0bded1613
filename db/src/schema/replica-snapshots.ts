import { integer, pgTable, primaryKey, real, text, timestamp } from "drizzle-orm/pg-core";

/** What one router knew of one replica at one moment, partitioned by day on `taken_at`. Null is not known. */
export const replicaSnapshots = pgTable(
  "replica_snapshots",
  {
    takenAt: timestamp("taken_at", { withTimezone: true }).notNull(),
    /** `replicas.num` */
    replica: integer("replica").notNull(),
    /** `routers.num` */
    router: integer("router").notNull(),
    /** `ReplicaState` */
    state: text("state").notNull(),
    inFlight: integer("in_flight").notNull(),
    running: integer("running"),
    queueDepth: integer("queue_depth"),
    kvOccupancy: real("kv_occupancy"),
    signalAgeMs: real("signal_age_ms"),
    ttftP50Ms: real("ttft_p50_ms"),
    ttftP99Ms: real("ttft_p99_ms"),
    itlP50Ms: real("itl_p50_ms"),
    hitRate: real("hit_rate"),
    requests: integer("requests").notNull(),
    failures: integer("failures").notNull(),
  },
  (table) => [primaryKey({ columns: [table.takenAt, table.replica, table.router] })],
);
