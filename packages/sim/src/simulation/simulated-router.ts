import type { CompiledPolicy } from "@evenkeel/scheduler/compile-policy";
import type { RejectCode } from "@evenkeel/scheduler/decision";
import { FleetState } from "@evenkeel/scheduler/fleet-state";
import type { EngineSignals, Replica, ReplicaState } from "@evenkeel/scheduler/replica";
import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { schedule } from "@evenkeel/scheduler/schedule";
import type { EventClock } from "../event-clock.ts";
import type { SimulatedRequest } from "./simulated-request.ts";

/** A request tried on this many replicas has failed. */
const MAX_ATTEMPTS = 3;

export interface RouterHooks {
  /** A decision was made: the request goes to its replica. */
  dispatch(request: SimulatedRequest): void;
  reject(request: SimulatedRequest, code: RejectCode): void;
  /** Chooses in place of the policy: a bound that sees inside the engines. Null when no replica serves. */
  choose?: (request: SimulatedRequest) => string | null;
}

/**
 * One router in virtual time: the production books and the production decision, with the network replaced by hooks.
 * What it observes reaches its books `observationMs` late.
 */
export class SimulatedRouter {
  readonly #state = new FleetState();
  readonly #policy: CompiledPolicy;
  readonly #clock: EventClock;
  readonly #observationMs: number;
  readonly #rng: Rng;
  readonly #hooks: RouterHooks;
  decisions = 0;
  holds = 0;

  constructor(options: {
    readonly policy: CompiledPolicy;
    readonly clock: EventClock;
    readonly observationMs: number;
    readonly seed: number;
    readonly hooks: RouterHooks;
  }) {
    this.#policy = options.policy;
    this.#clock = options.clock;
    this.#observationMs = options.observationMs;
    this.#rng = seededRng(options.seed);
    this.#hooks = options.hooks;
  }

  setReplicas(replicas: readonly Replica[]): void {
    this.#state.setReplicas(replicas, this.#clock.nowMs);
  }

  setReplicaState(id: string, state: ReplicaState): void {
    this.#state.setReplicaState(id, state, this.#clock.nowMs);
  }

  forgetCache(id: string): void {
    this.#state.forgetCache(id);
  }

  observeSignals(id: string, signals: EngineSignals): void {
    this.#state.observeSignals(id, signals);
  }

  /** Decides for a request now: dispatches, rejects, or looks again when its hold ends. */
  decide(request: SimulatedRequest): void {
    const nowMs = this.#clock.nowMs;
    const { inference, tried } = request;
    this.decisions += 1;
    if (this.#hooks.choose !== undefined) {
      request.replicaId = this.#hooks.choose(request);
      if (request.replicaId === null) this.#hooks.reject(request, "no_replica");
      else this.#hooks.dispatch(request);
      return;
    }
    const decision = schedule({
      request: inference,
      fleet: this.#state.snapshot(nowMs),
      signals: this.#state.signalsFor(inference, nowMs),
      policy: this.#policy,
      nowMs,
      rng: this.#rng,
      ...(tried.size === 0 ? {} : { alreadyTried: tried }),
    });
    if (decision.kind === "held") {
      this.holds += 1;
      this.#clock.at(decision.untilMs, () => this.decide(request));
      return;
    }
    if (decision.kind === "rejected") {
      this.#hooks.reject(request, decision.code);
      return;
    }
    request.heldMs = nowMs - request.arrivedAtMs;
    request.replicaId = decision.chosen;
    if (tried.size > 0) request.streamId = `${inference.id}/${tried.size}`;
    this.#state.dispatched({
      streamId: request.streamId,
      replicaId: decision.chosen,
      request: inference,
      decision,
      nowMs,
    });
    this.#hooks.dispatch(request);
  }

  /** An attempt failed before its first byte: the request goes to the next candidate, or fails for good. */
  retry(request: SimulatedRequest): boolean {
    this.#state.ended(request.streamId, "failed", this.#clock.nowMs);
    if (request.replicaId !== null) request.tried.add(request.replicaId);
    if (request.tried.size >= MAX_ATTEMPTS) return false;
    this.decide(request);
    return true;
  }

  sawToken(streamId: string, isFirst: boolean): void {
    if (this.#observationMs === 0) this.#noteToken(streamId, isFirst);
    else this.#clock.at(this.#clock.nowMs + this.#observationMs, () => this.#noteToken(streamId, isFirst));
  }

  sawEnd(
    request: SimulatedRequest,
    usage: { readonly cachedTokens: number; readonly outputTokens: number } | null,
  ): void {
    const { streamId } = request;
    const { promptTokens } = request.trace;
    const note = (): void => {
      if (usage !== null) this.#state.usage(streamId, { promptTokens, ...usage });
      this.#state.ended(streamId, usage === null ? "failed" : "completed", this.#clock.nowMs);
    };
    if (this.#observationMs === 0) note();
    else this.#clock.at(this.#clock.nowMs + this.#observationMs, note);
  }

  #noteToken(streamId: string, isFirst: boolean): void {
    const nowMs = this.#clock.nowMs;
    if (isFirst) this.#state.firstToken(streamId, nowMs);
    else this.#state.tokens(streamId, 1, nowMs);
  }
}
