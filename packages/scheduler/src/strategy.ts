import type { z } from "zod";
import type { Candidate, DecisionReason } from "./decision.ts";
import type { FleetSnapshot, ReplicaView } from "./fleet-snapshot.ts";
import type { Objectives } from "./objectives.ts";
import type { InferenceRequest } from "./request.ts";
import type { Rng } from "./rng.ts";
import type { RequestSignals } from "./signals.ts";

/** The closed catalog of strategies. */
export const STRATEGY_TYPES = [
  "predicted-cost",
  "round-robin",
  "random",
  "least-request",
  "power-of-two",
  "consistent-hash",
  "prefix-hash-bounded",
  "smg-cache-aware",
  "sgl-owners",
  "llm-d-blend",
  "llm-d-sticky",
  "dynamo-cost",
  "lmetric",
  "preble",
  "aibrix-prefix",
  "production-stack-loadaware",
] as const;
export type StrategyType = (typeof STRATEGY_TYPES)[number];

/** One part of a strategy's cost. */
export interface TermSpec {
  readonly name: string;
  readonly unit: "ms" | "requests" | "turns" | "tokens" | "score";
  /** One sentence for the operator. */
  readonly help: string;
}

/** What it takes to move a session from the replica it is pinned to. */
export interface PinRules {
  /** Time a pin stays after a move, unless its replica has no KV room. */
  readonly dwellMs: number;
  /** Share of the prefill on the new replica that a move must save on top of paying for it. */
  readonly moveMargin: number;
}

export interface StrategyInput {
  readonly request: InferenceRequest;
  /** Replicas that passed every filter; never empty. */
  readonly candidates: readonly ReplicaView[];
  readonly fleet: FleetSnapshot;
  readonly signals: RequestSignals;
  readonly objectives: Objectives;
  /** Age from which an engine's signals are called stale. */
  readonly signalsStaleAfterMs: number;
  /** What it takes to move a session from the replica it is pinned to. */
  readonly pinRules: PinRules;
  /** Whether an attempt of this request has failed already: it must not be held. */
  readonly isRetry: boolean;
  readonly nowMs: number;
  readonly rng: Rng;
}

export type StrategyVerdict =
  | {
      readonly kind: "ranked";
      /** Every candidate, best first. */
      readonly candidates: readonly Candidate[];
      readonly reason: DecisionReason;
    }
  | { readonly kind: "hold"; readonly untilMs: number; readonly candidates: readonly Candidate[] };

/** Rates candidates. Pure: equal inputs and rng give equal verdicts. */
export interface Strategy {
  readonly type: StrategyType;
  decide(input: StrategyInput): StrategyVerdict;
}

/** A row of the catalog: the console's form, validation, explanation and replay all read it. */
export interface StrategySpec {
  readonly type: StrategyType;
  readonly title: string;
  readonly help: string;
  /** Terms in the order of `Candidate.terms`. */
  readonly terms: readonly TermSpec[];
  /** What an operator may set, each field with a default and a description. */
  readonly params: z.ZodObject;
  /** @param params as written in the policy, checked against `params` again. */
  build(params: unknown): Strategy;
}

/** Ties a strategy's parameter schema to the function that builds it, for a row of the catalog. */
export function defineStrategy<S extends z.ZodObject>(
  spec: Omit<StrategySpec, "params" | "build"> & { params: S; build(params: z.infer<S>): Strategy },
): StrategySpec {
  return { ...spec, build: (params) => spec.build(spec.params.parse(params)) };
}
