import type { FilteredReplica, FilterReason } from "./decision.ts";
import type { ReplicaView } from "./fleet-snapshot.ts";
import type { ReplicaId } from "./replica.ts";

export interface FilterRules {
  readonly maxInFlightPerReplica: number;
  readonly panicBelow: number;
  readonly alreadyTried: ReadonlySet<ReplicaId>;
  /** An adapter that is known only because engines list it: replicas that do not list it would refuse it. */
  readonly adapter: string | null;
  readonly nowMs: number;
}

export interface FilterOutcome {
  readonly candidates: readonly ReplicaView[];
  readonly filtered: readonly FilteredReplica[];
  /** Whether ejected or unreachable replicas were let in because hardly any healthy one is left. */
  readonly isPanic: boolean;
}

/**
 * Drops replicas that must not get the request. When fewer than `panicBelow` of the replicas that should serve are
 * healthy, ejected ones are let in; when that leaves none, unreachable ones are. Draining, cordoned and starting
 * replicas stay out: someone meant that, or they cannot answer yet.
 */
export function filterReplicas(replicas: readonly ReplicaView[], rules: FilterRules): FilterOutcome {
  let healthy = 0;
  let ejected = 0;
  let unreachable = 0;
  for (const { state } of replicas) {
    if (state === "ready") healthy++;
    else if (state === "ejected") ejected++;
    else if (state === "unreachable") unreachable++;
  }
  const admitsEjected = healthy === 0 || healthy < rules.panicBelow * (healthy + ejected + unreachable);
  const admitsUnreachable = healthy === 0 && ejected === 0;
  const candidates: ReplicaView[] = [];
  const filtered: FilteredReplica[] = [];
  for (const view of replicas) {
    const reason = reasonToDrop(view, rules, admitsEjected, admitsUnreachable);
    if (reason === null) candidates.push(view);
    else filtered.push({ replica: view.id, reason });
  }
  return { candidates, filtered, isPanic: candidates.some((view) => view.state !== "ready") };
}

function reasonToDrop(
  view: ReplicaView,
  rules: FilterRules,
  admitsEjected: boolean,
  admitsUnreachable: boolean,
): FilterReason | null {
  switch (view.state) {
    case "draining":
    case "cordoned":
    case "starting":
      return view.state;
    case "ejected":
      if (!admitsEjected) return "ejected";
      break;
    case "unreachable":
      if (!admitsUnreachable) return "unreachable";
      break;
    case "ready":
      break;
  }
  if (view.replica.role === "prefill") return "role";
  if (rules.adapter !== null && !view.hasListed(rules.adapter)) return "adapter_unavailable";
  if (rules.alreadyTried.has(view.id)) return "already_tried";
  // Also in a panic: whoever asks for a pause is alive, and full.
  if (rules.nowMs < view.pausedUntilMs) return "paused";
  if (view.inFlight >= rules.maxInFlightPerReplica) return "in_flight_limit";
  return null;
}
