import type { CompiledPolicy, ModelPolicy } from "./compile-policy.ts";
import type { Decision, RejectCode } from "./decision.ts";
import { type FilterOutcome, filterReplicas } from "./filters.ts";
import type { FleetSnapshot, ReplicaView } from "./fleet-snapshot.ts";
import type { ReplicaId } from "./replica.ts";
import type { InferenceRequest } from "./request.ts";
import type { Rng } from "./rng.ts";
import type { RequestSignals } from "./signals.ts";

export interface ScheduleInput {
  readonly request: InferenceRequest;
  readonly fleet: FleetSnapshot;
  readonly signals: RequestSignals;
  readonly policy: CompiledPolicy;
  readonly nowMs: number;
  /** Breaks ties; drawn from once per decision. */
  readonly rng: Rng;
  /** Replicas whose attempt at this request failed. */
  readonly alreadyTried?: ReadonlySet<ReplicaId>;
}

const NONE_TRIED: ReadonlySet<ReplicaId> = new Set();

/**
 * The fast decision: which replica gets this request, whether it waits in the router, or why it is turned away.
 * Pure: equal inputs and random numbers give equal decisions; never throws, whatever the signals hold.
 */
export function schedule(input: ScheduleInput): Decision {
  const { request, fleet, policy, nowMs } = input;
  const rules = policy.forModel(request.model);
  const target = rules === null ? null : resolveModel(request.model, rules, fleet);
  const context = {
    requestId: request.id,
    decidedAtMs: nowMs,
    policyRevision: policy.revision,
    strategy: rules?.strategy.type ?? "predicted-cost",
    baseModel: target?.baseModel ?? null,
    adapter: target?.adapter ?? null,
    pool: null,
    arm: null,
  } as const;
  if (rules === null || target === null) {
    return { kind: "rejected", code: "unknown_model", ...context, filtered: [], candidates: [] };
  }
  const alreadyTried = input.alreadyTried ?? NONE_TRIED;
  const outcome = filterReplicas(inPools(fleet.serving(target.baseModel), rules), {
    maxInFlightPerReplica: rules.limits.maxInFlightPerReplica,
    panicBelow: rules.limits.panicBelow,
    alreadyTried,
    adapter: target.adapter !== null && rules.adapterOf === undefined ? target.adapter : null,
    nowMs,
  });
  const { filtered } = outcome;
  if (outcome.candidates.length === 0) {
    return { kind: "rejected", code: rejectCode(outcome), ...context, filtered, candidates: [] };
  }
  const verdict = rules.strategy.decide({
    request,
    candidates: outcome.candidates,
    fleet,
    signals: withLivePin(input.signals, rules.sessions.pinTtlMs, nowMs),
    objectives: rules.objectives,
    signalsStaleAfterMs: rules.limits.signalsStaleAfterMs,
    pinRules: rules.sessions,
    isRetry: alreadyTried.size > 0,
    nowMs,
    rng: input.rng,
  });
  const chosen = outcome.candidates.find((view) => view.id === verdict.candidates[0]?.replica);
  if (chosen === undefined)
    return { kind: "rejected", code: "no_replica", ...context, filtered, candidates: [] };
  const pool = poolOf(chosen, rules);
  if (verdict.kind === "hold") {
    const { candidates, untilMs } = verdict;
    return { kind: "held", ...context, pool, filtered, candidates, untilMs, wouldChoose: chosen.id };
  }
  const meanTokens = chosen.segment.outputLengths.meanTokens;
  return {
    kind: "routed",
    ...context,
    pool,
    filtered,
    candidates: verdict.candidates,
    chosen: chosen.id,
    segment: chosen.segment.id,
    reason: alreadyTried.size > 0 ? "retry" : verdict.reason,
    predictedOutputTokens: Math.round(Math.min(meanTokens, request.maxOutputTokens ?? meanTokens)),
    isPanic: outcome.isPanic,
  };
}

/** A pin that its policy has let expire binds nothing. */
function withLivePin(signals: RequestSignals, ttlMs: number, nowMs: number): RequestSignals {
  const isExpired = signals.pin !== null && nowMs - signals.pin.lastUsedAtMs > ttlMs;
  return isExpired ? { ...signals, pin: null } : signals;
}

interface Target {
  readonly baseModel: string;
  readonly adapter: string | null;
}

/** Whether a name is a base model, an adapter the policy names, or an adapter some engine lists. */
function resolveModel(name: string, rules: ModelPolicy, fleet: FleetSnapshot): Target | null {
  if (fleet.serving(name).length > 0) return { baseModel: name, adapter: null };
  const base = rules.adapterOf ?? fleet.baseModelOf(name);
  if (base === null || fleet.serving(base).length === 0) return null;
  return { baseModel: base, adapter: name };
}

function inPools(views: readonly ReplicaView[], rules: ModelPolicy): readonly ReplicaView[] {
  return rules.pools.length === 0 ? views : views.filter((view) => poolOf(view, rules) !== null);
}

function poolOf(view: ReplicaView, rules: ModelPolicy): string | null {
  const { labels } = view.replica;
  const pool = rules.pools.find((each) =>
    Object.entries(each.labels).every(([key, value]) => labels[key] === value),
  );
  return pool?.name ?? null;
}

/** Everything busy is for the client to try again later; anything else is ours to mend. */
function rejectCode({ filtered }: FilterOutcome): RejectCode {
  const isFull = filtered.some(({ reason }) => reason === "in_flight_limit" || reason === "paused");
  return isFull ? "saturated" : "no_replica";
}
