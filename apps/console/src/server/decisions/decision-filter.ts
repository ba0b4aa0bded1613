import { DECISION_OUTCOMES } from "@evenkeel/db/decision-record";
import { DECISION_REASONS } from "@evenkeel/scheduler/decision";
import { STRATEGY_TYPES } from "@evenkeel/scheduler/strategy";
import { z } from "zod";
import { storableText } from "#server/storable-text.ts";
import { storableTimeMs } from "#server/storable-time.ts";
import { REJECTED } from "./every-decision.ts";

const name = storableText.min(1).max(256);

/** Beyond any cost; margins are stored in single precision. */
const MAX_MARGIN = 1e30;

/** Which decisions are meant. Every field narrows; null leaves it open. */
export const decisionFilter = z.strictObject({
  fromMs: storableTimeMs,
  /** Null: up to now, open-ended. */
  toMs: storableTimeMs.nullable(),
  model: name.nullable(),
  pool: name.nullable(),
  /** Replica that was chosen. */
  chosen: name.nullable(),
  /** Replica that was a candidate and not chosen. */
  lost: name.nullable(),
  /** Start of the session's hash. */
  session: name.nullable(),
  reason: z.enum([...DECISION_REASONS, REJECTED]).nullable(),
  outcome: z.enum(DECISION_OUTCOMES).nullable(),
  errorCode: name.nullable(),
  revision: z.int32().min(0).nullable(),
  strategy: z.enum(STRATEGY_TYPES).nullable(),
  router: name.nullable(),
  /** The best other replica cost less than this much more than the chosen one, in the strategy's unit. 0: it was cheaper. */
  marginBelow: z.number().min(-MAX_MARGIN).max(MAX_MARGIN).nullable(),
});
export type DecisionFilter = z.infer<typeof decisionFilter>;

/** The filter's fields besides time: what can be removed with one click. */
export type DecisionFilterField = Exclude<keyof DecisionFilter, "fromMs" | "toMs">;
