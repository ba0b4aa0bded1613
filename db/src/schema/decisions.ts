import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";

/**
 * What thousands of decisions have in common. A row of `decisions` carries one number for all of it, and one small
 * index answers filters by model, adapter, pool, arm, segment, strategy, reason, outcome, error code and status.
 * Rows are only ever added. Strings are the scheduler's and router's own words (`DecisionReason`, `DecisionOutcome`, …).
 */
export const decisionContexts = pgTable("decision_contexts", {
  num: integer("num").primaryKey().generatedAlwaysAsIdentity(),
  /** Digest of all other columns: what makes a row unique. */
  key: uuid("key").notNull().unique(),
  /** The name asked for; null when no replica serves it: clients invent those, so the row itself holds it. */
  model: text("model"),
  baseModel: text("base_model"),
  adapter: text("adapter"),
  pool: text("pool"),
  arm: text("arm"),
  /** Null when rejected. */
  segment: text("segment"),
  strategy: text("strategy").notNull(),
  /** Names of the strategy's terms when the decision was made, in the order of `Candidate.terms`. */
  termNames: text("term_names").array().notNull(),
  /** Null when rejected. */
  reason: text("reason"),
  /** Null when routed. */
  rejectCode: text("reject_code"),
  outcome: text("outcome").notNull(),
  errorCode: text("error_code"),
  /** HTTP status sent to the client. */
  status: smallint("status"),
  attemptCount: smallint("attempt_count").notNull(),
  isStreaming: boolean("is_streaming").notNull(),
  isPanic: boolean("is_panic").notNull(),
});

/**
 * The replicas a decision dealt with: candidates, filtered ones and those attempted. They stay the same from one change
 * of the fleet to the next, so decisions carry the number of their set. Rows are only ever added.
 */
export const replicaSets = pgTable("replica_sets", {
  num: integer("num").primaryKey().generatedAlwaysAsIdentity(),
  /** Digest of the members. */
  key: uuid("key").notNull().unique(),
  /** `replicas.num`, ascending, each once. */
  members: integer("members").array().notNull(),
});

/**
 * One row per request, partitioned by day on `decided_at`. Reals hold 32-bit floats. Columns are ordered by
 * alignment: at millions of rows the padding counts.
 */
export const decisions = pgTable(
  "decisions",
  {
    /** The time inside the id, so that an id finds its row without an index of its own. */
    decidedAt: timestamp("decided_at", { withTimezone: true }).notNull(),
    /** The decision's own time minus `decided_at`; null when they are the same millisecond. */
    decidedOffsetMs: doublePrecision("decided_offset_ms"),
    /** The 128 bits of the id. */
    id: uuid("id").notNull(),
    /** `decision_contexts.num` */
    context: integer("context").notNull(),
    /** `routers.num` */
    router: integer("router").notNull(),
    policyRevision: integer("policy_revision").notNull(),
    /** `replicas.num`; null when rejected. */
    chosen: integer("chosen"),
    /** `replica_sets.num` */
    replicaSet: integer("replica_set").notNull(),
    /** Microseconds in `schedule()`. */
    decideUs: real("decide_us").notNull(),
    durationMs: real("duration_ms").notNull(),
    /** Null when the request was not held. */
    heldMs: real("held_ms"),
    /** Of the chosen replica; null when rejected. */
    predictedTtftMs: real("predicted_ttft_ms"),
    /** Cost of the best replica not chosen minus that of the chosen one, in the strategy's unit; null without a rival. */
    margin: real("margin"),
    ttftMs: real("ttft_ms"),
    itlMs: real("itl_ms"),
    promptTokensPredicted: real("prompt_tokens_predicted").notNull(),
    predictedOutputTokens: real("predicted_output_tokens"),
    promptTokens: integer("prompt_tokens"),
    cachedTokens: integer("cached_tokens"),
    outputTokens: integer("output_tokens"),
    /** The request's id when it is a UUID, as most are; otherwise null and `request_id` holds it. */
    requestUuid: uuid("request_uuid"),
    requestId: text("request_id"),
    /** `InferenceRequest.id`, when the router gave it another than the decision's own. */
    streamId: text("stream_id"),
    sessionHash: text("session_hash"),
    /** The model asked for when no replica serves it. */
    unknownModel: text("unknown_model"),
    /** `replicas.num` of those filtered; null when none was. */
    filtered: integer("filtered").array(),
    /** Candidates in rank order with terms and inputs, reasons of the filtered, and the attempts: see `DecisionDetail`. */
    detail: bytea("detail").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.decidedAt, table.id] }),
    index("decisions_context").on(table.context),
    index("decisions_chosen").on(table.chosen),
    index("decisions_replica_set").on(table.replicaSet),
  ],
);
