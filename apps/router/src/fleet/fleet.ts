import type { RoutedDecision } from "@evenkeel/scheduler/decision";
import type { FleetReplica } from "@evenkeel/scheduler/fleet-file";
import type { FleetState, StreamOutcome } from "@evenkeel/scheduler/fleet-state";
import type { ReplicaId, ReplicaState } from "@evenkeel/scheduler/replica";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import type { Rng } from "@evenkeel/scheduler/rng";
import type { AttemptEnd } from "../forward/attempt-end.ts";
import { FAILURE_RULES } from "../forward/attempt-failure.ts";
import type { EjectionEvent } from "./ejection.ts";
import type { ProbeResult } from "./reachability.ts";
import { Upstream } from "./upstream.ts";

export interface Dispatch {
  readonly streamId: string;
  readonly request: InferenceRequest;
  readonly decision: RoutedDecision;
}

/** Told of what others wait for. */
export interface FleetListener {
  stateChanged(replica: FleetReplica, from: ReplicaState, to: ReplicaState): void;
  /** An attempt on a replica of the model is over: there is room for one more. */
  placeFreed(model: string): void;
}

/**
 * The replicas this router can send to: their connections and health here, their load in the scheduler's
 * `FleetState`. A replica keeps all of it over a reload as long as its id and its entry stay the same.
 */
export class Fleet {
  readonly state: FleetState;
  readonly #rng: Rng;
  readonly #listener: FleetListener;
  readonly #secret: (name: string) => string | null;
  readonly #upstreams = new Map<ReplicaId, Upstream>();
  readonly #told = new Map<ReplicaId, ReplicaState>();
  readonly #models = new Set<string>();

  constructor(state: FleetState, rng: Rng, listener: FleetListener, secret: (name: string) => string | null) {
    this.state = state;
    this.#rng = rng;
    this.#listener = listener;
    this.#secret = secret;
  }

  /** Takes a new fleet. Replicas that left finish their requests; those that changed start anew. */
  replace(replicas: readonly FleetReplica[], nowMs: number): void {
    // All of the new ones are built before anything changes: a replica that cannot be built must not leave half a fleet.
    const next = new Map<ReplicaId, Upstream>();
    for (const replica of replicas) {
      const known = this.#upstreams.get(replica.id);
      const isKept = known !== undefined && isSameReplica(known.replica, replica);
      next.set(replica.id, isKept ? known : this.#build(replica));
    }
    for (const [id, upstream] of this.#upstreams) {
      if (next.get(id) !== upstream) this.#drop(id, upstream);
    }
    for (const [id, upstream] of next) this.#upstreams.set(id, upstream);
    this.#models.clear();
    for (const replica of replicas) this.#models.add(replica.model);
    this.state.setReplicas(replicas, nowMs);
    for (const upstream of this.#upstreams.values()) this.#tell(upstream, nowMs);
  }

  upstream(id: ReplicaId): Upstream | undefined {
    return this.#upstreams.get(id);
  }

  upstreams(): IterableIterator<Upstream> {
    return this.#upstreams.values();
  }

  get size(): number {
    return this.#upstreams.size;
  }

  /** Base models of the fleet file. */
  get models(): ReadonlySet<string> {
    return this.#models;
  }

  /** Replicas that take requests now. */
  countReady(nowMs: number): number {
    let ready = 0;
    for (const upstream of this.#upstreams.values()) if (upstream.health.state(nowMs) === "ready") ready++;
    return ready;
  }

  /** An attempt is on its way: it counts from this moment. */
  dispatched(upstream: Upstream, dispatch: Dispatch, nowMs: number): void {
    this.state.dispatched({ ...dispatch, replicaId: upstream.replica.id, nowMs });
    upstream.window.requests++;
    this.observe(upstream, "dispatched", nowMs);
  }

  /** The attempt is over, however it went: its place is free and what it showed is learned. */
  ended(upstream: Upstream, streamId: string, end: AttemptEnd, arrivedAtMs: number): void {
    const { observation, outcome, endedAtMs } = end;
    if (observation?.usage) this.state.usage(streamId, observation.usage);
    this.state.ended(streamId, streamOutcome(end), endedAtMs);
    this.#listener.placeFreed(upstream.replica.model);
    const { window } = upstream;
    const { blame } = FAILURE_RULES[outcome];
    if (blame === "replica" || blame === "replica_or_request" || observation?.ending === "error")
      window.failures++;
    if (observation === null) return;
    if (observation.firstTokenAtMs !== null) {
      window.ttft.add(observation.firstTokenAtMs - arrivedAtMs);
      const itlMs = meanGapMs(observation.firstTokenAtMs, observation.lastTokenAtMs, observation.tokenEvents);
      if (itlMs !== null) window.itl.add(itlMs);
    }
    if (observation.usage?.promptTokens != null && observation.usage.cachedTokens !== null) {
      window.promptTokens += observation.usage.promptTokens;
      window.cachedTokens += observation.usage.cachedTokens;
    }
  }

  /** News of a request for the replica's circuit. */
  observe(upstream: Upstream, event: EjectionEvent, nowMs: number): void {
    upstream.health.observe(event, nowMs);
    this.#tell(upstream, nowMs);
  }

  /** The engine asked to be left alone: it gets nothing until then. */
  pause(upstream: Upstream, untilMs: number): void {
    upstream.health.pauseUntil(untilMs);
    this.state.pauseReplica(upstream.replica.id, untilMs);
  }

  /** When the first of these replicas' pauses ends, null when none of them is paused. */
  earliestPauseEnd(ids: readonly ReplicaId[], nowMs: number): number | null {
    const ends = ids.flatMap((id) => {
      const endMs = this.#upstreams.get(id)?.health.pausedUntilMs ?? 0;
      return endMs > nowMs ? [endMs] : [];
    });
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /** A probe's result. */
  probed(upstream: Upstream, result: ProbeResult, nowMs: number): void {
    upstream.health.probed(result);
    this.#tell(upstream, nowMs);
  }

  /** Lets pauses run out; call it a few times a second. */
  tick(nowMs: number): void {
    for (const upstream of this.#upstreams.values()) this.#tell(upstream, nowMs);
  }

  /** Closes every connection once its request has ended. */
  close(): void {
    for (const upstream of this.#upstreams.values()) upstream.close();
    this.#upstreams.clear();
  }

  #tell(upstream: Upstream, nowMs: number): void {
    const { replica } = upstream;
    if (this.#upstreams.get(replica.id) !== upstream) return;
    const state = upstream.health.state(nowMs);
    const told = this.#told.get(replica.id);
    if (told === state) return;
    this.#told.set(replica.id, state);
    this.state.setReplicaState(replica.id, state, nowMs);
    if (told !== undefined) this.#listener.stateChanged(replica, told, state);
  }

  #build(replica: FleetReplica): Upstream {
    const apiKey = replica.apiKeyEnv === undefined ? null : this.#secret(replica.apiKeyEnv);
    return new Upstream(replica, apiKey, this.#rng);
  }

  #drop(id: ReplicaId, upstream: Upstream): void {
    this.#upstreams.delete(id);
    this.#told.delete(id);
    upstream.close();
  }
}

/** Mean gap between tokens in milliseconds, null below two tokens. */
export function meanGapMs(firstAtMs: number, lastAtMs: number | null, tokens: number): number | null {
  return lastAtMs === null || tokens < 2 ? null : (lastAtMs - firstAtMs) / (tokens - 1);
}

function streamOutcome(end: AttemptEnd): StreamOutcome {
  if (end.outcome === "client_gone") return "client_gone";
  return end.outcome === "completed" && end.observation?.ending !== "error" ? "completed" : "failed";
}

function isSameReplica(a: FleetReplica, b: FleetReplica): boolean {
  return (
    a.url === b.url &&
    a.apiKeyEnv === b.apiKeyEnv &&
    a.model === b.model &&
    a.engine === b.engine &&
    a.role === b.role &&
    a.segment === b.segment
  );
}
