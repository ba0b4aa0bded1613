import { prefixOfBlockIds } from "@evenkeel/scheduler/prefix-blocks";
import { type Replica, segmentOf } from "@evenkeel/scheduler/replica";
import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { engineBlockHashes } from "../engine-blocks.ts";
import { EventClock } from "../event-clock.ts";
import { LoadSpread } from "../load-spread.ts";
import { RequestTooLongError } from "../replica-model.ts";
import { ReplicaRunner } from "../replica-runner.ts";
import type { ModelRequest, Sequence } from "../sequence.ts";
import {
  DEFAULT_OBJECTIVES,
  isServedWell,
  type ServedRequest,
  type ServingReport,
  servingReport,
} from "../serving-report.ts";
import type { TraceRequest } from "../traces/trace-request.ts";
import { type BoundName, chooseByBound } from "./bound.ts";
import type { SimulatedRequest } from "./simulated-request.ts";
import { SimulatedRouter } from "./simulated-router.ts";
import {
  DEFAULT_DELAYS,
  type FleetEvent,
  type FleetMember,
  type InformationDelays,
  type SimulationOptions,
} from "./simulation-options.ts";
import type { SessionStep } from "./workload.ts";

/** Running requests are sampled this often for the load spread, in windows of 60 s. */
const SAMPLE_MS = 1000;
const SAMPLES_PER_WINDOW = 60;
/** How often a draining replica is looked at. */
const DRAIN_LOOK_MS = 100;

export interface SimulationResult {
  readonly report: ServingReport;
  readonly served: readonly ServedRequest[];
  /** Whether the run was cut short by `stopAfterMisses`; its figures then are of what was finished. */
  readonly isStopped: boolean;
  /** Virtual time until the last answer. */
  readonly durationMs: number;
  /** Time requests waited in the router, of all requests, ascending. */
  readonly heldMs: readonly number[];
  readonly preemptions: number;
  readonly adapterLoads: number;
  /** Share of each replica's time spent in steps, in the order of the members. */
  readonly busyShares: readonly number[];
  readonly steps: number;
  readonly decisions: number;
}

interface SimulatedReplica {
  replica: Replica;
  readonly runner: ReplicaRunner;
  readonly open: Map<string, OpenStream>;
  /** Dispatched and not yet in the engine's queue. */
  readonly underway: Set<ModelRequest>;
  isUp: boolean;
}

interface OpenStream {
  readonly request: SimulatedRequest;
  readonly router: SimulatedRouter;
}

/**
 * Runs a workload against a fleet in virtual time: simulated engines, and routers that keep the production books and
 * call the production `schedule`. Deterministic in its options.
 */
export function simulateFleet(options: SimulationOptions): SimulationResult {
  return new FleetSimulation(options).run();
}

class FleetSimulation {
  readonly #options: SimulationOptions;
  readonly #delays: InformationDelays;
  readonly #clock = new EventClock();
  readonly #rng: Rng;
  readonly #routers: SimulatedRouter[];
  readonly #replicas = new Map<string, SimulatedReplica>();
  readonly #adapterNumbers = new Map<string, number>();
  readonly #served: ServedRequest[] = [];
  readonly #heldMs: number[] = [];
  readonly #spread = new LoadSpread(SAMPLES_PER_WINDOW);
  /** Tokens per KV block, equal on all members. */
  readonly #blockTokens: number;
  #requests = 0;
  #misses = 0;
  #isStopped = false;
  #open = 0;
  #arrivalsLeft = 0;
  #endedAtMs = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#delays = options.delays ?? DEFAULT_DELAYS;
    this.#rng = seededRng(options.seed);
    this.#blockTokens = options.members[0]?.parameters.blockTokens ?? 16;
    this.#routers = Array.from(
      { length: options.routers ?? 1 },
      (_, index) =>
        new SimulatedRouter({
          policy: options.policy,
          clock: this.#clock,
          observationMs: this.#delays.observationMs,
          seed: options.seed * 8191 + index,
          hooks: {
            dispatch: (request) => this.#dispatch(request, index),
            reject: (request) => this.#finish(request, "rejected", null),
            ...(options.bound === undefined ? {} : { choose: this.#chooserOf(options.bound) }),
          },
        }),
    );
    for (const member of options.members) this.#add(member);
    this.#announceReplicas();
  }

  run(): SimulationResult {
    const { workload, events = [] } = this.#options;
    this.#arrivalsLeft = workload.requests.length + workload.sessions.length;
    this.#planArrival(0);
    for (const session of workload.sessions) {
      this.#clock.at(session.startAtMs, () => {
        this.#arrivalsLeft -= 1;
        this.#runSteps(session.steps, 0, () => {});
      });
    }
    for (const event of events) this.#clock.at(event.atMs, () => this.#apply(event));
    if (this.#delays.scrapeIntervalMs !== null) this.#scrape(this.#delays.scrapeIntervalMs);
    this.#sample();
    this.#clock.runAll();
    return this.#result();
  }

  get #isOver(): boolean {
    return this.#arrivalsLeft === 0 && this.#open === 0;
  }

  /** Open-loop arrivals, one planned at a time: the event queue stays small. */
  #planArrival(index: number): void {
    const request = this.#options.workload.requests[index];
    if (request === undefined) return;
    this.#clock.at(request.atMs, () => {
      this.#arrivalsLeft -= 1;
      this.#planArrival(index + 1);
      this.#arrive(request, () => {});
    });
  }

  #chooserOf(bound: BoundName): (request: SimulatedRequest) => string | null {
    return ({ modelRequest, tried }) => {
      const up = [...this.#replicas.values()].filter(({ isUp, replica }) => isUp && !tried.has(replica.id));
      const candidates = up.map(({ replica, runner, underway }) => ({
        id: replica.id,
        model: runner.model,
        underway: [...underway],
      }));
      return chooseByBound(bound, modelRequest, candidates, this.#rng);
    };
  }

  #runSteps(steps: readonly SessionStep[], index: number, onEnd: () => void): void {
    const step = steps[index];
    const endAtMs = this.#options.workload.sessionsEndAtMs ?? Number.POSITIVE_INFINITY;
    if (step === undefined || this.#clock.nowMs > endAtMs) {
      onEnd();
      return;
    }
    const next = (): void => this.#runSteps(steps, index + 1, onEnd);
    if (step.kind === "parallel") {
      let left = step.branches.length;
      if (left === 0) next();
      for (const branch of step.branches) {
        this.#runSteps(branch, 0, () => {
          left -= 1;
          if (left === 0) next();
        });
      }
      return;
    }
    // The pause counts as open, or the run could end in it.
    this.#open += 1;
    this.#clock.at(this.#clock.nowMs + step.thinkMs, () => {
      this.#open -= 1;
      if (this.#clock.nowMs <= endAtMs) this.#arrive(step.request, next);
      else onEnd();
    });
  }

  #arrive(trace: TraceRequest, onDone: () => void): void {
    const nowMs = this.#clock.nowMs;
    const id = `q${this.#requests}`;
    this.#requests += 1;
    this.#open += 1;
    const scope = { adapter: trace.adapter, cacheSalt: null };
    const request: SimulatedRequest = {
      trace,
      inference: {
        id,
        model: trace.adapter ?? this.#options.model,
        arrivedAtMs: nowMs,
        sessionKey: trace.sessionKey,
        promptTokens: trace.promptTokens,
        promptTokensExact: true,
        maxOutputTokens: null,
        isStreaming: true,
        prefix: prefixOfBlockIds(trace.blockIds, trace.blockTokens, trace.promptTokens, scope),
      },
      modelRequest: {
        id,
        promptTokens: trace.promptTokens,
        outputTokens: trace.outputTokens,
        blockHashes: engineBlockHashes(trace, this.#adapterNumber(trace.adapter), this.#blockTokens),
        adapter: trace.adapter,
      },
      arrivedAtMs: nowMs,
      tried: new Set(),
      heldMs: 0,
      streamId: id,
      replicaId: null,
      onDone,
    };
    const pick = this.#routers.length === 1 ? 0 : Math.floor(this.#rng() * this.#routers.length);
    this.#routers[pick]?.decide(request);
  }

  #dispatch(request: SimulatedRequest, routerIndex: number): void {
    const router = this.#routers[routerIndex];
    const target = this.#replicas.get(request.replicaId ?? "");
    if (router === undefined || target === undefined) return;
    target.underway.add(request.modelRequest);
    this.#clock.at(this.#clock.nowMs + this.#delays.toEngineMs, () => {
      target.underway.delete(request.modelRequest);
      if (!target.isUp) {
        this.#attemptFailed({ request, router });
        return;
      }
      target.open.set(request.modelRequest.id, { request, router });
      try {
        target.runner.enqueue(request.modelRequest);
      } catch (error) {
        if (!(error instanceof RequestTooLongError)) throw error;
        target.open.delete(request.modelRequest.id);
        router.sawEnd(request, null);
        this.#finish(request, "failed", null);
      }
    });
  }

  #onTokens(target: SimulatedReplica, sequences: readonly Sequence[]): void {
    for (const sequence of sequences) {
      const stream = target.open.get(sequence.request.id);
      if (stream === undefined) continue;
      const { request, router } = stream;
      router.sawToken(request.streamId, sequence.outputTokens === 1);
      if (sequence.state !== "finished") continue;
      target.open.delete(sequence.request.id);
      router.sawEnd(request, { cachedTokens: sequence.cachedTokens, outputTokens: sequence.outputTokens });
      this.#finish(request, "completed", sequence);
    }
  }

  #attemptFailed(stream: OpenStream): void {
    if (!stream.router.retry(stream.request)) this.#finish(stream.request, "failed", null);
  }

  #finish(request: SimulatedRequest, outcome: ServedRequest["outcome"], sequence: Sequence | null): void {
    const firstAtMs = sequence?.firstTokenAtMs ?? null;
    const lastAtMs = sequence?.lastTokenAtMs ?? null;
    const outputTokens = sequence?.outputTokens ?? 0;
    const isSpread = firstAtMs !== null && lastAtMs !== null && outputTokens > 1;
    const served: ServedRequest = {
      atMs: request.arrivedAtMs,
      promptTokens: request.trace.promptTokens,
      outputTokens,
      cachedTokens: sequence?.cachedTokens ?? null,
      ttftMs: firstAtMs === null ? null : firstAtMs - request.arrivedAtMs,
      itlMs: isSpread ? (lastAtMs - firstAtMs) / (outputTokens - 1) : null,
      outcome,
    };
    this.#served.push(served);
    this.#countMiss(served);
    this.#heldMs.push(request.heldMs);
    this.#open -= 1;
    this.#endedAtMs = this.#clock.nowMs;
    request.onDone();
  }

  /** A search for the highest load that keeps a goodput need not see a run that has lost it to its end. */
  #countMiss(served: ServedRequest): void {
    const { stopAfterMisses, warmUpUntilMs } = this.#options;
    if (stopAfterMisses === undefined || served.atMs < (warmUpUntilMs ?? 0)) return;
    if (isServedWell(served, this.#options.objectives ?? DEFAULT_OBJECTIVES)) return;
    this.#misses += 1;
    if (this.#misses <= stopAfterMisses) return;
    this.#isStopped = true;
    this.#clock.clear();
  }

  #add(member: FleetMember): void {
    const replica = this.#describe(member);
    const runner: ReplicaRunner = new ReplicaRunner(member.parameters, this.#clock, (sequences) =>
      this.#onTokens(target, sequences),
    );
    runner.model.slowdown = member.slowdown ?? 1;
    const target: SimulatedReplica = { replica, runner, open: new Map(), underway: new Set(), isUp: true };
    this.#replicas.set(member.id, target);
  }

  #describe(member: Pick<FleetMember, "id" | "labels">): Replica {
    const { model } = this.#options;
    const about = { model, engine: "vllm", role: "unified", labels: member.labels ?? {} } as const;
    return { id: member.id, ...about, segment: segmentOf(about) };
  }

  #announceReplicas(): void {
    const replicas = [...this.#replicas.values()].map(({ replica }) => replica);
    for (const router of this.#routers) router.setReplicas(replicas);
    for (const { id } of replicas) this.#readSignals(id);
  }

  #apply(event: FleetEvent): void {
    if (event.kind === "join") {
      this.#add(event.member);
      this.#announceReplicas();
      return;
    }
    const target = this.#replicas.get(event.id);
    if (target === undefined) throw new RangeError(`event "${event.kind}" names no replica: "${event.id}"`);
    if (event.kind === "slowdown") target.runner.model.slowdown = event.factor;
    if (event.kind === "restart") {
      target.isUp = true;
      for (const router of this.#routers) {
        router.forgetCache(event.id);
        router.setReplicaState(event.id, "ready");
      }
    }
    if (event.kind === "crash") this.#crash(target);
    if (event.kind === "update") {
      for (const router of this.#routers) router.setReplicaState(event.id, "draining");
      this.#updateWhenDrained(target, event.version, event.downMs);
    }
  }

  #updateWhenDrained(target: SimulatedReplica, version: string, downMs: number): void {
    if (target.open.size + target.underway.size > 0) {
      this.#clock.at(this.#clock.nowMs + DRAIN_LOOK_MS, () =>
        this.#updateWhenDrained(target, version, downMs),
      );
      return;
    }
    const { id } = target.replica;
    target.isUp = false;
    target.runner.restart();
    for (const router of this.#routers) router.setReplicaState(id, "unreachable");
    this.#clock.at(this.#clock.nowMs + downMs, () => {
      target.isUp = true;
      target.replica = this.#describe({ id, labels: { ...target.replica.labels, version } });
      this.#announceReplicas();
      for (const router of this.#routers) {
        router.forgetCache(id);
        router.setReplicaState(id, "ready");
      }
    });
  }

  #crash(target: SimulatedReplica): void {
    target.isUp = false;
    const broken = [...target.open.values()];
    const isFirstSeen = (request: SimulatedRequest): boolean =>
      target.runner.model
        .runningSequences()
        .some((sequence) => sequence.request.id === request.modelRequest.id && sequence.outputTokens > 0);
    const lost = broken.filter(({ request }) => isFirstSeen(request));
    const again = broken.filter(({ request }) => !isFirstSeen(request));
    target.open.clear();
    target.runner.restart();
    for (const router of this.#routers) router.setReplicaState(target.replica.id, "unreachable");
    for (const { request, router } of lost) {
      router.sawEnd(request, null);
      this.#finish(request, "failed", null);
    }
    for (const stream of again) this.#attemptFailed(stream);
  }

  #scrape(intervalMs: number): void {
    for (const { replica } of this.#replicas.values()) this.#readSignals(replica.id);
    if (!this.#isOver) this.#clock.at(this.#clock.nowMs + intervalMs, () => this.#scrape(intervalMs));
  }

  /** Takes an engine's reading now; the routers have it after the scrape's delay. */
  #readSignals(id: string): void {
    const target = this.#replicas.get(id);
    if (target === undefined || !target.isUp) return;
    const { model } = target.runner;
    const { kvBlocks, blockTokens, adapters } = model.parameters;
    const resident = model.residentAdapters;
    const signals = {
      observedAtMs: this.#clock.nowMs,
      running: model.running,
      queueDepth: model.queueDepth,
      kvOccupancy: model.kvOccupancy,
      kvCapacityTokens: kvBlocks * blockTokens,
      kvBlockTokens: blockTokens,
      adapters: resident.length === 0 ? null : resident,
      adapterSlots: adapters.slots,
    };
    this.#clock.at(this.#clock.nowMs + this.#delays.scrapeDelayMs, () => {
      for (const router of this.#routers) router.observeSignals(id, signals);
    });
  }

  #sample(): void {
    if (this.#isOver) return;
    // The end of a run, when arrivals are over and the fleet drains, says nothing about balance.
    if (this.#arrivalsLeft > 0)
      this.#spread.add([...this.#replicas.values()].map(({ runner }) => runner.model.running));
    this.#clock.at(this.#clock.nowMs + SAMPLE_MS, () => this.#sample());
  }

  #adapterNumber(adapter: string | null): number {
    if (adapter === null) return 0;
    const known = this.#adapterNumbers.get(adapter);
    if (known !== undefined) return known;
    const number = this.#adapterNumbers.size + 1;
    this.#adapterNumbers.set(adapter, number);
    return number;
  }

  #result(): SimulationResult {
    const replicas = [...this.#replicas.values()];
    const sum = (read: (replica: SimulatedReplica) => number): number =>
      replicas.reduce((total, replica) => total + read(replica), 0);
    return {
      report: servingReport(this.#served, {
        objectives: this.#options.objectives ?? DEFAULT_OBJECTIVES,
        warmUpMs: this.#options.warmUpUntilMs ?? 0,
        loadCv: this.#spread.cv,
      }),
      served: this.#served,
      isStopped: this.#isStopped,
      durationMs: this.#endedAtMs,
      heldMs: this.#heldMs.toSorted((a, b) => a - b),
      preemptions: sum(({ runner }) => runner.model.totals.preemptions),
      adapterLoads: sum(({ runner }) => runner.model.totals.adapterLoads),
      busyShares: replicas.map(({ runner }) => runner.model.totals.busyMs / Math.max(1, this.#endedAtMs)),
      steps: sum(({ runner }) => runner.model.totals.steps),
      decisions: this.#routers.reduce((total, router) => total + router.decisions, 0),
    };
  }
}
