import { z } from "zod";
import { STRATEGY_CATALOG } from "./catalog.ts";
import { objectives } from "./objectives.ts";
import { STRATEGY_TYPES, type StrategyType } from "./strategy.ts";

export type { Objectives } from "./objectives.ts";

/** A session key's source: a request header or a field of the request body. */
const SESSION_KEY_SOURCE = /^(header|body):[A-Za-z0-9_.-]{1,64}$/;

const label = z.string().min(1).max(128);

type StrategyOption = z.ZodObject<{ type: z.ZodLiteral<StrategyType> }, z.core.$strict>;

const strategyOptions: StrategyOption[] = STRATEGY_CATALOG.map((spec) =>
  z
    .strictObject({ type: z.literal(spec.type).describe(spec.title), ...spec.params.shape })
    .describe(spec.help),
);

/** What to say of a strategy that fits no row of the catalog. */
function strategyFault(input: unknown): string {
  const choice = `choose one of: ${STRATEGY_TYPES.join(", ")}`;
  if (input === undefined || input === null) return `strategy is missing: add {type: …} and ${choice}`;
  if (typeof input !== "object" || Array.isArray(input)) {
    return `a strategy is written {type: …, and its parameters}; ${choice}`;
  }
  return "type" in input ? `unknown strategy; ${choice}` : `the strategy's type is missing: ${choice}`;
}

const strategyChoice = z
  .discriminatedUnion(
    "type",
    // The catalog has rows; the tuple type only says so to the compiler.
    strategyOptions as [StrategyOption, ...StrategyOption[]],
    { error: ({ input }) => strategyFault(input) },
  )
  .describe("How a replica is chosen for each request.");

const pool = z.strictObject({
  name: z.string().min(1).max(64).describe("Shown beside each decision."),
  labels: z
    .record(label, label)
    .refine(
      (labels) => Object.keys(labels).length > 0,
      "a pool needs at least one label to select replicas by",
    )
    .describe("A replica belongs to the pool when it carries every one of these labels."),
});

const sessions = z.strictObject({
  keys: z
    .array(
      z
        .string()
        .regex(
          SESSION_KEY_SOURCE,
          "a session key source is header:NAME or body:FIELD, for example header:x-session-id",
        ),
    )
    .max(16)
    .default([
      "header:x-session-id",
      "header:x-claude-code-session-id",
      "body:prompt_cache_key",
      "body:conversation",
      "body:user",
    ])
    .describe("Where a conversation's key is looked for; the first one present counts."),
  pinTtlMs: z
    .number()
    .int()
    .min(1000)
    .max(7 * 86_400_000)
    .default(3_600_000)
    .describe("A session's pin is forgotten after this many milliseconds without a request."),
  dwellMs: z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(5000)
    .describe(
      "A pin that has just moved stays at least this long, in milliseconds, unless its replica has no KV room.",
    ),
  moveMargin: z
    .number()
    .min(0)
    .max(10)
    .default(0.5)
    .describe(
      "A pin moves only when it saves more than this share of the prefill it costs on the new replica.",
    ),
});

const retries = z.strictObject({
  maxAttempts: z
    .number()
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe(
      "Most replicas tried for one request. Only attempts that failed before the first byte are followed by another.",
    ),
});

const timeouts = z.strictObject({
  connectMs: z
    .number()
    .int()
    .min(50)
    .max(60_000)
    .default(2000)
    .describe("Longest wait for a connection to a replica."),
  firstByteMs: z
    .number()
    .int()
    .min(100)
    .max(3_600_000)
    .default(120_000)
    .describe("Longest wait for the first byte of a replica's answer."),
  idleMs: z
    .number()
    .int()
    .min(100)
    .max(3_600_000)
    .default(60_000)
    .describe("Longest silence within an answer before it counts as broken."),
  totalMs: z
    .number()
    .int()
    .min(1000)
    .max(86_400_000)
    .default(3_600_000)
    .describe("Longest time one request may take in all."),
});

const limits = z.strictObject({
  maxInFlightPerReplica: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1024)
    .describe(
      "Requests of one router in flight on one replica; when every replica is at this limit, clients get 429.",
    ),
  maxQueued: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(256)
    .describe(
      "Requests that may wait in one router for a replica of the model with room; the next one gets 429 at once. 0: nobody waits.",
    ),
  maxQueueMs: z
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(1000)
    .describe("Longest wait there, in milliseconds; then the client gets 429 or 503."),
  panicBelow: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe(
      "When a smaller share of the replicas than this is healthy, ejections are ignored and all of them are tried (panic mode). 0.1 is a tenth.",
    ),
  signalsStaleAfterMs: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(10_000)
    .describe("Age in milliseconds from which an engine's signals are called stale."),
});

const modelPolicy = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(256)
    .describe(
      'Model name that clients ask for. "*" stands for any run of characters; an exact name goes before a pattern.',
    ),
  adapterOf: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Base model whose replicas serve this name as an adapter. Leave out for base models."),
  pools: z
    .array(pool)
    .max(64)
    .default([])
    .describe(
      "Restricts the model to replicas that belong to one of these pools. Empty: every replica of the model.",
    ),
  strategy: strategyChoice,
  objectives: objectives
    .prefault({})
    .describe("What clients are promised; predicted-cost weighs violations of it."),
  sessions: sessions.prefault({}).describe("How conversations are recognised and kept on a replica."),
  retries: retries.prefault({}).describe("What happens when an attempt fails before its first byte."),
  timeouts: timeouts.prefault({}).describe("When an attempt counts as failed."),
  limits: limits.prefault({}).describe("What protects replicas from too much."),
});

const recording = z.strictObject({
  snapshotIntervalMs: z
    .number()
    .int()
    .min(500)
    .max(600_000)
    .default(5000)
    .describe("Milliseconds between two snapshots of every replica in the database."),
});

const days = z.number().int().min(1).max(36_500);

const retention = z.strictObject({
  decisionDays: days.default(14).describe("Whole days for which every decision is kept with its candidates."),
  snapshotDays: days.default(14).describe("Whole days for which snapshots of every replica are kept."),
  minuteDays: days.default(60).describe("Whole days for which trends are kept by the minute."),
  hourDays: days.default(730).describe("Whole days for which trends are kept by the hour."),
});

/** The versioned policy document: YAML in the editor, JSON in the database. Every field acts. */
export const policyDocument = z.strictObject({
  version: z.literal(1).describe("Format of this document."),
  models: z
    .array(modelPolicy)
    .min(1, "a policy needs at least one model")
    .max(1000)
    .describe(
      "Rules by model name. An exact name wins over patterns; among patterns the first that fits wins.",
    ),
  recording: recording.prefault({}).describe("What is written to the database."),
  retention: retention.prefault({}).describe("How long it is kept there; older days are dropped whole."),
});

export type PolicyDocument = z.infer<typeof policyDocument>;
/** A document as an operator writes it: everything with a default may be left out. */
export type PolicyDocumentInput = z.input<typeof policyDocument>;
export type ModelPolicyDocument = PolicyDocument["models"][number];
