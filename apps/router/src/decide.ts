import type { CompiledPolicy } from "@evenkeel/scheduler/compile-policy";
import type { HeldDecision, RejectedDecision, RoutedDecision } from "@evenkeel/scheduler/decision";
import { ttftDeadlineMs } from "@evenkeel/scheduler/objectives";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import type { Rng } from "@evenkeel/scheduler/rng";
import { schedule } from "@evenkeel/scheduler/schedule";
import type { Clock } from "./clock.ts";
import type { Fleet } from "./fleet/fleet.ts";
import type { HoldQueue } from "./hold-queue.ts";
import type { ClientReply } from "./http/client-reply.ts";

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
  /** Milliseconds the request was held. */
  readonly heldMs: number;
}

/**
 * Decides one request by one policy revision, holding it as long as the decision says so and the queue has room.
 * A request that cannot be held is refused for load.
 */
export async function decide(
  deps: DecideDeps,
  policy: CompiledPolicy,
  request: InferenceRequest,
  reply: ClientReply,
): Promise<Decided> {
  let decideUs = 0;
  let firstHeldAtMs: number | null = null;
  for (;;) {
    const startMs = deps.clock();
    const signals = deps.fleet.state.signalsFor(request, startMs);
    const fleet = deps.fleet.state.snapshot(startMs);
    const decision = schedule({ request, fleet, signals, policy, nowMs: startMs, rng: deps.rng });
    const endMs = deps.clock();
    decideUs += (endMs - startMs) * 1_000;
    const heldMs = firstHeldAtMs === null ? 0 : startMs - firstHeldAtMs;
    if (decision.kind !== "held") return { decision, decideUs, heldMs };
    firstHeldAtMs ??= startMs;
    const objectives = policy.forModel(request.model)?.objectives;
    const verdict = await deps.holds.wait({
      untilMs: decision.untilMs,
      deadlineMs: objectives ? ttftDeadlineMs(objectives, request) : decision.untilMs,
      reply,
    });
    if (verdict !== "due") return { decision: refused(decision), decideUs, heldMs };
  }
}

/** A hold that ended without a dispatch: the client left, or the queue was full. */
function refused(held: HeldDecision): RejectedDecision {
  const { untilMs: _untilMs, wouldChoose: _wouldChoose, ...context } = held;
  return { ...context, kind: "rejected", code: "saturated" };
}
