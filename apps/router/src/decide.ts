import type { CompiledPolicy, ModelPolicy } from "@evenkeel/scheduler/compile-policy";
import type { HeldDecision, RejectedDecision, RoutedDecision } from "@evenkeel/scheduler/decision";
import { ttftDeadlineMs } from "@evenkeel/scheduler/objectives";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import type { Rng } from "@evenkeel/scheduler/rng";
import { schedule } from "@evenkeel/scheduler/schedule";
import type { Clock } from "./clock.ts";
import type { Fleet } from "./fleet/fleet.ts";
import type { Hold, HoldQueue, WaitingClient } from "./hold-queue.ts";

export interface DecideDeps {
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly holds: HoldQueue;
}

export interface Decided {
  readonly decision: RoutedDecision | RejectedDecision;
  /** Microseconds in look-ups and `schedule()`, all calls together. */
  readonly decideUs: number;
  /** Milliseconds the request waited in the router. */
  readonly heldMs: number;
}

/**
 * Decides one request by one policy revision. It waits in the router while the decision says that waiting is
 * better, or, within the policy's bounds, while no replica has room; then it is decided again.
 */
export async function decide(
  deps: DecideDeps,
  policy: CompiledPolicy,
  request: InferenceRequest,
  reply: WaitingClient,
): Promise<Decided> {
  const rules = policy.forModel(request.model);
  let decideUs = 0;
  let waitedSinceMs: number | null = null;
  for (;;) {
    const startMs = deps.clock();
    const signals = deps.fleet.state.signalsFor(request, startMs);
    const fleet = deps.fleet.state.snapshot(startMs);
    const decision = schedule({ request, fleet, signals, policy, nowMs: startMs, rng: deps.rng });
    decideUs += (deps.clock() - startMs) * 1_000;
    const heldMs = waitedSinceMs === null ? 0 : startMs - waitedSinceMs;
    const hold = rules === null ? null : holdOf(deps, decision, rules, request, startMs);
    if (hold === null) return { decision: final(deps.fleet, decision), decideUs, heldMs };
    waitedSinceMs ??= startMs;
    const verdict = await deps.holds.wait({ ...hold, reply });
    if (verdict !== "due") {
      return { decision: final(deps.fleet, decision), decideUs, heldMs: deps.clock() - waitedSinceMs };
    }
  }
}

/** How long and for what the request should wait; null when the decision stands. */
function holdOf(
  deps: DecideDeps,
  decision: RoutedDecision | RejectedDecision | HeldDecision,
  rules: ModelPolicy,
  request: InferenceRequest,
  nowMs: number,
): Omit<Hold, "reply"> | null {
  const deadlineMs = ttftDeadlineMs(rules.objectives, request);
  if (decision.kind === "held") return { untilMs: decision.untilMs, deadlineMs, waitsFor: null };
  const model = decision.baseModel;
  if (decision.kind === "routed" || decision.code === "unknown_model" || model === null) return null;
  const giveUpAtMs = request.arrivedAtMs + rules.limits.maxQueueMs;
  if (nowMs >= giveUpAtMs || deps.holds.waitingFor(model) >= rules.limits.maxQueued) return null;
  const paused = decision.filtered.flatMap(({ replica, reason }) => (reason === "paused" ? [replica] : []));
  const pauseEndMs = deps.fleet.earliestPauseEnd(paused, nowMs) ?? giveUpAtMs;
  return { untilMs: Math.min(giveUpAtMs, pauseEndMs), deadlineMs, waitsFor: model };
}

/** Holding only makes a good choice better: when nobody may wait any longer, that choice is taken. */
function final(
  fleet: Fleet,
  decision: RoutedDecision | RejectedDecision | HeldDecision,
): RoutedDecision | RejectedDecision {
  if (decision.kind !== "held") return decision;
  const { untilMs: _untilMs, wouldChoose, ...context } = decision;
  const segment = fleet.upstream(wouldChoose)?.replica.segment;
  if (segment === undefined) return { ...context, kind: "rejected", code: "no_replica" };
  return {
    ...context,
    kind: "routed",
    chosen: wouldChoose,
    segment,
    reason: "shortest_wait",
    predictedOutputTokens: 0,
    isPanic: false,
  };
}
