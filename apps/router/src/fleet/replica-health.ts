import type { ReplicaState } from "@evenkeel/scheduler/replica";
import type { Rng } from "@evenkeel/scheduler/rng";
import {
  acceptsRequests,
  CLOSED,
  EJECTION,
  type Ejection,
  type EjectionEvent,
  nextEjection,
} from "./ejection.ts";
import {
  answeredTraffic,
  nextReachability,
  type ProbeResult,
  REACHABILITY,
  type Reachability,
  UNPROBED,
} from "./reachability.ts";

/** All that is known of whether one replica can serve: passive circuit, active probes and asked-for pauses. */
export class ReplicaHealth {
  readonly #rng: Rng;
  #ejection: Ejection = CLOSED;
  #reachability: Reachability = UNPROBED;
  #pausedUntilMs = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** A request's news. */
  observe(event: EjectionEvent, nowMs: number): void {
    this.#ejection = nextEjection(this.#ejection, event, nowMs, EJECTION, this.#rng);
    if (event === "success" || event === "answering")
      this.#reachability = answeredTraffic(this.#reachability);
  }

  /** A probe's result. */
  probed(result: ProbeResult): void {
    this.#reachability = nextReachability(this.#reachability, result, REACHABILITY);
  }

  /** The engine asked for a pause; of two the later end counts. */
  pauseUntil(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  isPaused(nowMs: number): boolean {
    return nowMs < this.#pausedUntilMs;
  }

  /** What the scheduler should take the replica for. */
  state(nowMs: number): ReplicaState {
    this.#ejection = nextEjection(this.#ejection, "tick", nowMs, EJECTION, this.#rng);
    switch (this.#reachability.kind) {
      case "unknown":
      case "loading":
        return "starting";
      case "unreachable":
        return "unreachable";
      case "reachable":
        return acceptsRequests(this.#ejection, EJECTION) ? "ready" : "ejected";
    }
  }
}
