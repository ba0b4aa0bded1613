import type { ReplicaSnapshot } from "@evenkeel/db/replica-snapshot";
import type { ReplicaView } from "@evenkeel/scheduler/fleet-snapshot";
import type { Clock } from "../clock.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { Upstream } from "../fleet/upstream.ts";
import type { PolicyHolder } from "../policy/policy-holder.ts";

export interface SnapshotClockOptions {
  readonly fleet: Fleet;
  readonly policy: PolicyHolder;
  readonly routerId: string;
  readonly clock: Clock;
  readonly onSnapshots: (snapshots: readonly ReplicaSnapshot[]) => void;
}

/** Takes down what this router knows of every replica, every `recording.snapshotIntervalMs` of the policy in force. */
export class SnapshotClock {
  readonly #options: SnapshotClockOptions;
  #timer: NodeJS.Timeout;

  constructor(options: SnapshotClockOptions) {
    this.#options = options;
    this.#timer = this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(): NodeJS.Timeout {
    const { clock, policy } = this.#options;
    const intervalMs = policy.current.document.recording.snapshotIntervalMs;
    // On round instants, so that the columns of several routers line up.
    const delayMs = intervalMs - (clock() % intervalMs);
    return setTimeout(() => {
      this.#take();
      this.#timer = this.#wait();
    }, delayMs);
  }

  #take(): void {
    const { fleet, clock, routerId, onSnapshots } = this.#options;
    const nowMs = clock();
    const snapshots: ReplicaSnapshot[] = [];
    for (const view of fleet.state.snapshot(nowMs).replicas) {
      const upstream = fleet.upstream(view.id);
      if (upstream === undefined) continue;
      snapshots.push(snapshotOf(view, upstream, routerId, nowMs));
      upstream.window.clear();
    }
    onSnapshots(snapshots);
  }
}

function snapshotOf(view: ReplicaView, upstream: Upstream, routerId: string, nowMs: number): ReplicaSnapshot {
  const { window } = upstream;
  return {
    takenAtMs: nowMs,
    routerId,
    replica: view.id,
    state: view.state,
    inFlight: view.inFlight,
    running: view.signals?.running ?? null,
    queueDepth: view.signals?.queueDepth ?? null,
    kvOccupancy: view.signals?.kvOccupancy ?? null,
    signalAgeMs: view.signals === null ? null : Math.max(0, nowMs - view.signals.observedAtMs),
    ttftP50Ms: window.ttft.quantile(0.5),
    ttftP99Ms: window.ttft.quantile(0.99),
    itlP50Ms: window.itl.quantile(0.5),
    hitRate: window.hitRate,
    requests: window.requests,
    failures: window.failures,
  };
}
