import { prefixOfBlockIds } from "@evenkeel/scheduler/prefix-blocks";
import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { engineBlockHashes } from "../engine-blocks.ts";
import { EventClock } from "../event-clock.ts";
import { LoadSpread } from "../load-spread.ts";
import { RequestTooLongError } from "../request-too-long-error.ts";
import type { Sequence } from "../sequence.ts";
import {
  DEFAULT_OBJECTIVES,
  type ServedRequest,
  type ServingObjectives,
  type ServingReport,
  servingReport,
} from "../serving-report.ts";
import type { TraceRequest } from "../traces/trace-request.ts";
import { Arrivals } from "./arrivals.ts";
import { type BoundName, chooseByBound } from "./bound.ts";
import { OutcomeBook } from "./outcome-book.ts";
import { type OpenStream, SimulatedFleet, type SimulatedReplica } from "./simulated-fleet.ts";
import type { SimulatedRequest } from "./simulated-request.ts";
import { SimulatedRouter } from "./simulated-router.ts";
import { DEFAULT_DELAYS, type InformationDelays, type SimulationOptions } from "./simulation-options.ts";

/** Running requests are sampled this often for the load spread, in windows of 60 s. */
const SAMPLE_MS = 1000;
const SAMPLES_PER_WINDOW = 60;

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
  readonly #objectives: ServingObjectives;
  readonly #warmUpUntilMs: number;
  readonly #clock = new EventClock();
  readonly #rng: Rng;
  readonly #routers: readonly SimulatedRouter[];
  readonly #fleet: SimulatedFleet;
  readonly #arrivals: Arrivals;
  readonly #outcomes: OutcomeBook;
  readonly #adapterNumbers = new Map<string, number>();
  readonly #spread = new LoadSpread(SAMPLES_PER_WINDOW);
  /** Tokens per KV block, equal on all members. */
  readonly #blockTokens: number;
  #requests = 0;
  #open = 0;
  #isStopped = false;
  #endedAtMs = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#delays = options.delays ?? DEFAULT_DELAYS;
    this.#objectives = options.objectives ?? DEFAULT_OBJECTIVES;
    this.#warmUpUntilMs = options.warmUpUntilMs ?? 0;
    this.#rng = seededRng(options.seed);
    this.#blockTokens = options.members[0]?.parameters.blockTokens ?? 16;
    this.#outcomes = new OutcomeBook(this.#objectives, this.#warmUpUntilMs);
    this.#arrivals = new Arrivals(options.workload, this.#clock, (request, onDone) =>
      this.#arrive(request, onDone),
    );
    this.#routers = Array.from({ length: options.routers ?? 1 }, (_, index) => this.#newRouter(index));
    this.#fleet = new SimulatedFleet({
      model: options.model,
      clock: this.#clock,
      routers: this.#routers,
      scrapeDelayMs: this.#delays.scrapeDelayMs,
      members: options.members,
      hooks: {
        tokens: (target, sequences) => this.#onTokens(target, sequences),
        broken: (stream, sawToken) => (sawToken ? this.#fail(stream) : this.#tryAgain(stream)),
      },
    });
  }

  run(): SimulationResult {
    this.#arrivals.begin();
    for (const event of this.#options.events ?? [])
      this.#clock.at(event.atMs, () => this.#fleet.apply(event));
    if (this.#delays.scrapeIntervalMs !== null) this.#scrape(this.#delays.scrapeIntervalMs);
    this.#sample();
    this.#clock.runAll();
    return this.#result();
  }

  get #isOver(): boolean {
    return this.#open === 0 && !this.#arrivals.hasMore;
  }

  #newRouter(index: number): SimulatedRouter {
    const { bound, policy, seed } = this.#options;
    return new SimulatedRouter({
      policy,
      clock: this.#clock,
      observationMs: this.#delays.observationMs,
      seed: seed * 8191 + index,
      hooks: {
        dispatch: (request) => this.#dispatch(request, index),
        reject: (request) => this.#finish(request, "rejected", null),
        ...(bound === undefined ? {} : { choose: (request) => this.#chooseByBound(bound, request) }),
      },
    });
  }

  #chooseByBound(bound: BoundName, { modelRequest, tried }: SimulatedRequest): string | null {
    const candidates = this.#fleet.replicas
      .filter(({ isUp, replica }) => isUp && !tried.has(replica.id))
      .map(({ replica, runner, underway }) => ({
        id: replica.id,
        model: runner.model,
        underway: [...underway],
      }));
    return chooseByBound(bound, modelRequest, candidates, this.#rng);
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
    const target = this.#fleet.find(request.replicaId ?? "");
    if (router === undefined || target === null) return;
    target.underway.add(request.modelRequest);
    this.#clock.at(this.#clock.nowMs + this.#delays.toEngineMs, () => {
      target.underway.delete(request.modelRequest);
      if (!target.isUp) {
        this.#tryAgain({ request, router });
        return;
      }
      target.open.set(request.modelRequest.id, { request, router });
      try {
        target.runner.enqueue(request.modelRequest);
      } catch (error) {
        if (!(error instanceof RequestTooLongError)) throw error;
        target.open.delete(request.modelRequest.id);
        this.#fail({ request, router });
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

  #tryAgain({ request, router }: OpenStream): void {
    if (!router.retry(request)) this.#finish(request, "failed", null);
  }

  #fail({ request, router }: OpenStream): void {
    router.sawEnd(request, null);
    this.#finish(request, "failed", null);
  }

  #finish(request: SimulatedRequest, outcome: ServedRequest["outcome"], sequence: Sequence | null): void {
    this.#outcomes.add(request, outcome, sequence);
    this.#open -= 1;
    this.#endedAtMs = this.#clock.nowMs;
    // A search for the highest load that keeps a goodput need not see a run that has lost it to its end.
    if (this.#outcomes.misses > (this.#options.stopAfterMisses ?? Number.POSITIVE_INFINITY)) {
      this.#isStopped = true;
      this.#clock.clear();
      return;
    }
    request.onDone();
  }

  #scrape(intervalMs: number): void {
    this.#fleet.scrape();
    if (!this.#isOver) this.#clock.at(this.#clock.nowMs + intervalMs, () => this.#scrape(intervalMs));
  }

  #sample(): void {
    if (this.#isOver) return;
    // The end of a run, when arrivals are over and the fleet drains, says nothing about balance.
    if (this.#arrivals.hasMore)
      this.#spread.add(this.#fleet.replicas.map(({ runner }) => runner.model.running));
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
    const { replicas } = this.#fleet;
    const sum = (read: (replica: SimulatedReplica) => number): number =>
      replicas.reduce((total, replica) => total + read(replica), 0);
    return {
      report: servingReport(this.#outcomes.served, {
        objectives: this.#objectives,
        warmUpMs: this.#warmUpUntilMs,
        loadCv: this.#spread.cv,
      }),
      served: this.#outcomes.served,
      isStopped: this.#isStopped,
      durationMs: this.#endedAtMs,
      heldMs: this.#outcomes.heldMs.toSorted((a, b) => a - b),
      preemptions: sum(({ runner }) => runner.model.totals.preemptions),
      adapterLoads: sum(({ runner }) => runner.model.totals.adapterLoads),
      busyShares: replicas.map(({ runner }) => runner.model.totals.busyMs / Math.max(1, this.#endedAtMs)),
      steps: sum(({ runner }) => runner.model.totals.steps),
      decisions: this.#routers.reduce((total, router) => total + router.decisions, 0),
    };
  }
}
