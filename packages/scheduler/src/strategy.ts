import type { z } from "zod";
import type { Candidate, DecisionReason, SignalNote } from "./decision.ts";
import type { FleetSnapshot, ReplicaView } from "./fleet-snapshot.ts";
import type { Objectives } from "./policy.ts";
import type { InferenceRequest } from "./request.ts";
import type { Rng } from "./rng.ts";
import type { RequestSignals } from "./signals.ts";

/** The closed catalog of strategies (see catalog.ts for those that can be chosen today). */
export const STRATEGY_TYPES = ["predicted-cost", "round-robin", "least-request"] as const;
export type StrategyType = (typeof STRATEGY_TYPES)[number];

/** One part of a strategy's cost. */
export interface TermSpec {
  readonly name: string;
  readonly unit: "ms" | "requests" | "turns" | "score";
  /** One sentence for the operator. */
  readonly help: string;
}

export interface StrategyInput {
  readonly request: InferenceRequest;
  /** Replicas that passed every filter; never empty. */
  readonly candidates: readonly ReplicaView[];
  readonly fleet: FleetSnapshot;
  readonly signals: RequestSignals;
  readonly objectives: Objectives;
  readonly nowMs: number;
  readonly rng: Rng;
}

export type StrategyVerdict =
  | {
      readonly kind: "ranked";
      /** Every candidate, best first. */
      readonly candidates: readonly Candidate[];
      readonly reason: DecisionReason;
      readonly predictedOutputTokens: number;
    }
  | { readonly kind: "hold"; readonly untilMs: number; readonly candidates: readonly Candidate[] };

/** Rates candidates. Pure: equal inputs and rng give equal verdicts. */
export interface Strategy {
  readonly type: StrategyType;
  decide(input: StrategyInput): StrategyVerdict;
}

/** A row of the catalog: the console's form, validation, explanation and replay all read it. */
export interface StrategySpec<P = unknown> {
  readonly type: StrategyType;
  readonly title: string;
  readonly help: string;
  /** Terms in the order of `Candidate.terms`. */
  readonly terms: readonly TermSpec[];
  readonly params: z.ZodType<P>;
  build(params: P): Strategy;
}

export type { Candidate, SignalNote };
