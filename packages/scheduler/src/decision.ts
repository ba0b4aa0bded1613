import type { ReplicaId, SegmentId } from "./replica.ts";
import type { StrategyType } from "./strategy.ts";

/** Why the chosen replica was chosen, as shown on every page. */
export const DECISION_REASONS = [
  "kept_pin",
  "prefix_match",
  "shortest_wait",
  "adapter_resident",
  "rotation",
  "canary",
  "retry",
  "shed",
  "manual",
] as const;
export type DecisionReason = (typeof DECISION_REASONS)[number];

/** Why a replica was not considered. */
export const FILTER_REASONS = [
  "ejected",
  "unreachable",
  "starting",
  "draining",
  "cordoned",
  "other_arm",
  "role",
  "adapter_unavailable",
  "in_flight_limit",
  "already_tried",
  "paused",
] as const;
export type FilterReason = (typeof FILTER_REASONS)[number];

/** Said of a candidate when a signal was not what it should be; the term then names the fallback it used. */
export const SIGNAL_NOTES = [
  "missing_signal",
  "stale_signal",
  "invalid_signal",
  "rate_from_prior",
  "ramping",
  "panic_mode",
] as const;
export type SignalNote = (typeof SIGNAL_NOTES)[number];

/** A replica considered for one request. */
export interface Candidate {
  readonly replica: ReplicaId;
  /** In the strategy's unit (milliseconds for `predicted-cost`); lower wins. */
  readonly cost: number;
  /** Parts of the cost, in the order of the strategy's `terms` in the catalog; they add up to `cost`. */
  readonly terms: readonly number[];
  /** Predicted time to first token if sent there now, milliseconds. */
  readonly predictedTtftMs: number;
  /** Prompt tokens the replica is believed to hold in its KV cache. */
  readonly cachedTokens: number;
  /** Requests sent by this router and unfinished. Exact. */
  readonly inFlight: number;
  readonly queueDepth: number | null;
  readonly running: number | null;
  readonly kvOccupancy: number | null;
  /** Age of the engine's signals at decision time, null when there are none. */
  readonly signalAgeMs: number | null;
  readonly notes: readonly SignalNote[];
}

export interface FilteredReplica {
  readonly replica: ReplicaId;
  readonly reason: FilterReason;
}

interface DecisionContext {
  readonly requestId: string;
  readonly decidedAtMs: number;
  readonly policyRevision: number;
  readonly strategy: StrategyType;
  /** Pool within the model's policy, null when the model has no pool. */
  readonly pool: string | null;
  readonly arm: string | null;
  /** The base model served, null when unknown. */
  readonly baseModel: string | null;
  /** The adapter asked for, null for a base model. */
  readonly adapter: string | null;
  readonly filtered: readonly FilteredReplica[];
}

/** A replica was chosen. `candidates[0]` is it; the rest follow in rank order and are the retry order. */
export interface RoutedDecision extends DecisionContext {
  readonly kind: "routed";
  readonly chosen: ReplicaId;
  readonly segment: SegmentId;
  readonly reason: DecisionReason;
  readonly candidates: readonly Candidate[];
  readonly predictedOutputTokens: number;
  readonly isPanic: boolean;
}

/** Every replica would hurt someone now and the request's own objective has slack: schedule again at `untilMs`. */
export interface HeldDecision extends DecisionContext {
  readonly kind: "held";
  readonly untilMs: number;
  readonly wouldChoose: ReplicaId;
  readonly candidates: readonly Candidate[];
}

/** Rejection codes are the client error codes of the same name. */
export const REJECT_CODES = ["unknown_model", "saturated", "no_replica"] as const;
export type RejectCode = (typeof REJECT_CODES)[number];

export interface RejectedDecision extends DecisionContext {
  readonly kind: "rejected";
  readonly code: RejectCode;
  readonly candidates: readonly Candidate[];
}

export type Decision = RoutedDecision | HeldDecision | RejectedDecision;
