import { type CompiledPolicy, compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { modelOfPreset } from "@evenkeel/sim/replica-presets";
import { isBoundName } from "@evenkeel/sim/simulation/bound";
import { type SimulationResult, simulateFleet } from "@evenkeel/sim/simulation/fleet-simulation";
import type { Workload } from "@evenkeel/sim/simulation/workload";
import { hitCeiling } from "@evenkeel/sim/traces/hit-ceiling";
import { findKnee, gridIndex, type Knee } from "./knee.ts";
import type { QualityOptions, StrategyChoice } from "./quality-options.ts";
import { scenarioOf } from "./scenario.ts";
import { type WorkloadSource, withAdapters } from "./workload-source.ts";

/** Goodput that a load must keep to count as served. */
export const KNEE_GOODPUT = 0.99;

/** Share of the arrival time in which caches fill; left out of every figure. */
const WARM_UP_SHARE = 0.1;

/** One strategy's knee under one seed. */
export interface KneeResult {
  readonly trace: string;
  readonly strategy: string;
  readonly seed: number;
  /** In the workload's unit. */
  readonly kneeLoad: number;
  /** Requests per second at the knee. */
  readonly kneeRps: number;
  readonly probes: Knee["probes"];
  readonly runs: number;
}

/** One run at a given load. */
export interface QualityResult {
  readonly trace: string;
  readonly strategy: string;
  readonly seed: number;
  /** In the workload's unit: requests per second, or sessions. */
  readonly load: number;
  /** The load as a multiple of the best knee. */
  readonly kneeShare: number;
  readonly requests: number;
  readonly goodput: number;
  readonly ttftMissShare: number;
  readonly itlMissShare: number;
  readonly ttftMs: { readonly p50: number; readonly p90: number; readonly p99: number } | null;
  readonly itlMs: { readonly p50: number; readonly p90: number; readonly p99: number } | null;
  readonly hitRate: number | null;
  readonly loadCv: number | null;
  readonly rejects: number;
  readonly failed: number;
  readonly heldP99Ms: number;
  readonly preemptions: number;
  readonly adapterLoads: number;
}

/** Runs one workload under many strategies, loads and seeds. */
export class QualityRun {
  readonly #source: WorkloadSource;
  readonly #options: QualityOptions;
  readonly #policies = new Map<string, CompiledPolicy>();
  /** Where to look first: the last knee found for a strategy. */
  readonly #lastKnee = new Map<string, number>();

  constructor(source: WorkloadSource, options: QualityOptions) {
    this.#source = source;
    this.#options = options;
    const model = modelOfPreset(options.preset);
    for (const strategy of options.strategies) this.#policies.set(strategy.name, compile(strategy, model));
  }

  /** @param isSearch whether the run may stop as soon as its goodput is lost */
  simulate(strategy: string, load: number, seed: number, isSearch: boolean): SimulationResult {
    const { replicas, preset, scenario, routers, scrapeIntervalMs, observationMs } = this.#options;
    const policy = this.#policies.get(strategy);
    if (policy === undefined) throw new RangeError(`no such strategy in this run: "${strategy}"`);
    const durationMs = this.#source.durationMs(load);
    const { members, events, adapters } = scenarioOf(scenario, replicas, preset, durationMs);
    const workload = this.#source.build(load, seed);
    return simulateFleet({
      workload: adapters === null ? workload : withAdapters(workload, adapters, seed),
      model: modelOfPreset(preset),
      members,
      events,
      policy,
      ...(isBoundName(strategy) ? { bound: strategy } : {}),
      seed,
      routers,
      warmUpUntilMs: WARM_UP_SHARE * durationMs,
      ...(isSearch
        ? { stopAfterMisses: (1 - KNEE_GOODPUT) * mostRequests(workload, WARM_UP_SHARE * durationMs) }
        : {}),
      delays: { toEngineMs: 8, observationMs, scrapeIntervalMs, scrapeDelayMs: 50 },
    });
  }

  /** Null when the strategy misses the goodput at any load that was tried. */
  knee(strategy: string, seed: number): KneeResult | null {
    const base = this.#source.firstLoad(this.#options.replicas);
    const rates = new Map<number, number>();
    const knee = findKnee(
      (load) => {
        const { report, served, isStopped } = this.simulate(strategy, load, seed, true);
        if (isStopped) return null;
        rates.set(load, (1000 * served.length) / this.#source.durationMs(load));
        return report.goodput;
      },
      { base, startIndex: gridIndex(base, this.#lastKnee.get(strategy) ?? base), least: KNEE_GOODPUT },
    );
    if (knee.load === null) return null;
    this.#lastKnee.set(strategy, knee.load);
    return {
      trace: this.#source.name,
      strategy,
      seed,
      kneeLoad: knee.load,
      kneeRps: rates.get(knee.load) ?? knee.load,
      probes: knee.probes,
      runs: knee.runs,
    };
  }

  /** Hit rate of one cache of unlimited size; null for sessions, whose arrivals are a result, and without prefixes. */
  hitCeiling(load: number): number | null {
    if (!this.#source.hasPrefixes) return null;
    const { requests } = this.#source.build(load, 1);
    return hitCeiling(requests, WARM_UP_SHARE * this.#source.durationMs(load));
  }

  result(strategy: string, load: number, kneeShare: number, seed: number): QualityResult {
    const run = this.simulate(strategy, load, seed, false);
    const { report } = run;
    return {
      trace: this.#source.name,
      strategy,
      seed,
      load,
      kneeShare,
      requests: report.requests,
      goodput: report.goodput,
      ttftMissShare: report.ttftMissShare,
      itlMissShare: report.itlMissShare,
      ttftMs: report.ttftMs,
      itlMs: report.itlMs,
      hitRate: this.#source.hasPrefixes ? report.hitRate : null,
      loadCv: report.loadCv,
      rejects: report.rejected,
      failed: report.failed,
      heldP99Ms: run.heldMs[Math.floor(0.99 * run.heldMs.length)] ?? 0,
      preemptions: run.preemptions,
      adapterLoads: run.adapterLoads,
    };
  }
}

/** Requests that a workload can send after the warm-up; sessions that are slowed down send fewer. */
function mostRequests(workload: Workload, warmUpMs: number): number {
  const open = workload.requests.filter(({ atMs }) => atMs >= warmUpMs).length;
  const endMs = workload.sessionsEndAtMs ?? Number.POSITIVE_INFINITY;
  let inSessions = 0;
  for (const { startAtMs, steps } of workload.sessions) {
    let atMs = startAtMs;
    for (const step of steps) {
      if (step.kind === "parallel") continue;
      atMs += step.thinkMs;
      if (atMs > endMs) break;
      if (atMs >= warmUpMs) inSessions += 1;
    }
  }
  return open + inSessions;
}

function compile(strategy: StrategyChoice, model: string): CompiledPolicy {
  if (isBoundName(strategy.type)) return compile({ ...strategy, type: "round-robin" }, model);
  const rules = { strategy: { type: strategy.type, ...strategy.params } };
  const models = [
    { name: "adapter-*", adapterOf: model, ...rules },
    { name: "*", ...rules },
  ];
  const compiled = compilePolicy({ version: 1, models }, 1);
  if (compiled.ok) return compiled.policy;
  const problems = compiled.problems.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  throw new RangeError(`--strategies: "${strategy.name}": ${problems}`);
}
