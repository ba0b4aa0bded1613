import type { Decision } from "@evenkeel/scheduler/decision";

/** How one attempt to one replica ended. */
export const ATTEMPT_OUTCOMES = [
  "completed",
  "client_gone",
  "connect_failed",
  "reset_before_first_byte",
  "first_byte_timeout",
  "engine_saturated",
  "engine_error",
  "client_error",
  "broken_stream",
  "idle_timeout",
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface Attempt {
  readonly replica: string;
  readonly outcome: AttemptOutcome;
  /** HTTP status the replica answered with, null when none came. */
  readonly status: number | null;
  /** Milliseconds from dispatch to its end, or to the moment the attempt was given up. */
  readonly durationMs: number;
}

/** How the whole request ended for the client. */
export const DECISION_OUTCOMES = [
  "completed",
  "client_gone",
  "rejected",
  "upstream_failed",
  "upstream_timeout",
  "client_error",
  "broken_stream",
] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/**
 * Everything kept of one request: the decision with all candidates and terms, and what came of it.
 * Holds no prompt text and no session key in clear.
 */
export interface DecisionRecord {
  /** Time-ordered id, `dec_` and 26 characters of Crockford base 32 (48 bits of ms, 80 random). */
  readonly id: string;
  readonly requestId: string;
  readonly routerId: string;
  /** The model name the client asked for, at most 256 characters. */
  readonly model: string;
  /** Keyed hash of the session key, null when the request named no session. */
  readonly sessionHash: string | null;
  readonly decision: Exclude<Decision, { kind: "held" }>;
  /** Microseconds spent in `schedule()`, all calls for this request together. */
  readonly decideUs: number;
  /** Milliseconds the request was held in the router before dispatch; 0 when it was not. */
  readonly heldMs: number;
  readonly attempts: readonly Attempt[];
  readonly outcome: DecisionOutcome;
  /** Stable error code sent to the client, null when it got none from us. */
  readonly errorCode: string | null;
  /** HTTP status sent to the client, null when it left before one was. */
  readonly status: number | null;
  readonly isStreaming: boolean;
  readonly promptTokensPredicted: number;
  /** From the engine's `usage`; null when it did not say. */
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  /** Measured from arrival at the router, null when no token came. */
  readonly ttftMs: number | null;
  /** Mean gap between tokens, null below two tokens. */
  readonly itlMs: number | null;
  readonly durationMs: number;
}
