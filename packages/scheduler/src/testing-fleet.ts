import { type CompiledPolicy, compilePolicy } from "./compile-policy.ts";
import type { Decision, RoutedDecision } from "./decision.ts";
import { FleetState } from "./fleet-state.ts";
import { hashPrompt } from "./prefix-blocks.ts";
import type { EngineSignals, Replica } from "./replica.ts";
import { segmentOf } from "./replica.ts";
import type { InferenceRequest } from "./request.ts";
import { seededRng } from "./rng.ts";
import { schedule } from "./schedule.ts";

/** A unified vLLM replica of model "m". */
export function testReplica(id: string, over: Partial<Omit<Replica, "id" | "segment">> = {}): Replica {
  const replica = { model: "m", engine: "vllm" as const, role: "unified" as const, labels: {}, ...over };
  return { id, ...replica, segment: segmentOf(replica) };
}

/** A request for model "m" whose prompt is `text`, four characters to a token. */
export function testRequest(
  id: string,
  text: string,
  over: Partial<InferenceRequest> = {},
): InferenceRequest {
  const prefix = hashPrompt([text], { adapter: null, cacheSalt: null });
  return {
    id,
    model: "m",
    arrivedAtMs: 0,
    sessionKey: null,
    promptTokens: Math.max(1, Math.round(text.length / 4)),
    promptTokensExact: false,
    maxOutputTokens: null,
    isStreaming: true,
    prefix,
    ...over,
  };
}

/** A reading in which the engine says nothing but its queue and batch. */
export function testSignals(observedAtMs: number, over: Partial<EngineSignals> = {}): EngineSignals {
  return {
    observedAtMs,
    running: 0,
    queueDepth: 0,
    kvOccupancy: 0,
    kvCapacityTokens: null,
    kvBlockTokens: null,
    adapters: null,
    adapterSlots: null,
    ...over,
  };
}

/** A compiled policy with one rule for every model; throws on a document with problems. */
export function testPolicy(
  strategy: Record<string, unknown>,
  over: Record<string, unknown> = {},
): CompiledPolicy {
  const compiled = compilePolicy({ version: 1, models: [{ name: "*", strategy, ...over }] }, 1);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.policy;
}

/** A fleet of `count` replicas r0, r1, … with the calls a test makes most. */
export class TestFleet {
  readonly state: FleetState;
  readonly policy: CompiledPolicy;
  #requests = 0;

  constructor(
    count: number,
    policy: CompiledPolicy = testPolicy({ type: "predicted-cost", holding: false }),
  ) {
    this.state = new FleetState();
    this.policy = policy;
    this.state.setReplicas(
      Array.from({ length: count }, (_, i) => testReplica(`r${i}`)),
      0,
    );
  }

  decide(request: InferenceRequest, nowMs: number, seed = 1): Decision {
    return schedule({
      request,
      fleet: this.state.snapshot(nowMs),
      signals: this.state.signalsFor(request, nowMs),
      policy: this.policy,
      nowMs,
      rng: seededRng(seed),
    });
  }

  /** Decides, expects to be routed, and sends the request to the chosen replica or to `to`. */
  send(text: string, nowMs: number, over: Partial<InferenceRequest> = {}, to?: string): RoutedDecision {
    const request = testRequest(`q${this.#requests++}`, text, { arrivedAtMs: nowMs, ...over });
    const decision = this.decide(request, nowMs, this.#requests);
    if (decision.kind !== "routed") throw new Error(`expected a routed decision, got ${decision.kind}`);
    this.state.dispatched({
      streamId: request.id,
      replicaId: to ?? decision.chosen,
      request,
      decision,
      nowMs,
    });
    return decision;
  }
}
