import type { Machine } from "./machine.ts";
import type { CellMeasurement } from "./measure-target.ts";
import type { Mode } from "./measurement-plan.ts";
import type { ProxyOptions } from "./proxy-options.ts";
import type { ProxyFigures } from "./proxy-run.ts";
import { difference, median, type Quantiles } from "./quantiles.ts";

/** One target in one cell: medians over the rounds. */
export interface ProxyResult {
  readonly target: string;
  readonly replicas: number;
  readonly bodyKb: number;
  readonly mode: Mode;
  readonly rounds: number;
  /** Requests per second at full load; null where it was not driven to it. */
  readonly rps: number | null;
  /** Lowest and highest of the rounds. */
  readonly rpsRange: readonly [number, number] | null;
  /** Share of its core used at full load; well below 1, `rps` was bounded by the load, not by the target. */
  readonly coreShare: number | null;
  /** Requests per second of core time: what one wholly used core would carry by its processor time per request. */
  readonly rpsPerCore: number | null;
  readonly failedAtFullLoad: number;
  readonly offeredRps: number;
  readonly failedAtOfferedRate: number;
  /** At the offered rate: to the end of a plain answer, to the first byte of a stream. */
  readonly latencyMs: Quantiles;
  /** The same, less what the round measured without a proxy. */
  readonly addedMs: Quantiles;
  /** Per streamed event, less the same without a proxy; null for plain answers. */
  readonly addedPerChunkMs: Quantiles | null;
  /** At full load, or at the offered rate where there was none. */
  readonly cpuUsPerRequest: number | null;
  readonly cpuUsPerChunk: number | null;
  readonly cpuUsPerRequestAtOfferedRate: number | null;
  readonly databaseCpuUsPerRequest: number | null;
}

export interface Bar {
  readonly what: string;
  readonly target: string;
  readonly limitMs: number;
  readonly measuredMs: number;
  readonly isMet: boolean;
}

export interface ProxyReport {
  readonly machine: Machine;
  readonly settings: {
    readonly isQuick: boolean;
    readonly rounds: number;
    readonly seed: number;
    readonly minutes: number;
  };
  readonly targets: readonly { readonly name: string; readonly description: string }[];
  readonly skipped: ProxyFigures["skipped"];
  readonly results: readonly ProxyResult[];
  readonly idleStreamBytes: readonly { readonly target: string; readonly bytes: number }[];
  readonly bars: readonly Bar[];
}

export interface ReportInput {
  readonly figures: ProxyFigures;
  readonly options: ProxyOptions;
  readonly machine: Machine;
  readonly seconds: number;
}

/** Medians over the rounds, and the bars we hold ourselves to. */
export function proxyReport({ figures, options, machine, seconds }: ReportInput): ProxyReport {
  const groups = Map.groupBy(figures.cells, (each) => keyOf(each, each.target));
  const results = [...groups.values()].flatMap((rounds) => {
    const [first] = rounds;
    if (first === undefined) return [];
    return [combine(first, rounds, groups.get(keyOf(first, "direct")) ?? [])];
  });
  const idle = Map.groupBy(figures.idleStreams, ({ target }) => target);
  return {
    machine,
    settings: {
      isQuick: options.isQuick,
      rounds: figures.rounds,
      seed: options.seed,
      minutes: Math.round(seconds / 6) / 10,
    },
    targets: options.targets.map((target) => ({ name: target.name, description: target.describe() })),
    skipped: figures.skipped,
    results,
    idleStreamBytes: [...idle].map(([target, all]) => ({
      target,
      bytes: median(all.map(({ bytes }) => bytes)),
    })),
    bars: results.flatMap(barsOf),
  };
}

function keyOf({ cell }: CellMeasurement, target: string): string {
  return [target, cell.replicas, cell.bodyKb, cell.mode].join(" ");
}

/** The n-th round of a target is compared with the n-th round without a proxy. */
function combine(
  first: CellMeasurement,
  rounds: readonly CellMeasurement[],
  direct: readonly CellMeasurement[],
): ProxyResult {
  const { cell } = first;
  const saturated = rounds.flatMap((round) => round.saturated ?? []);
  const rates = saturated.map(({ rps }) => rps);
  const busy = saturated.length > 0 ? saturated : rounds.map(({ openLoop }) => openLoop);
  const cpuUsPerRequest = medianOrNull(busy.map((each) => each.cpuUsPerRequest));
  const paired = rounds.flatMap((round, index) => {
    const without = direct[Math.min(index, direct.length - 1)];
    return without === undefined ? [] : [{ round, without }];
  });
  const perChunk = paired.flatMap(({ round, without }) =>
    round.openLoop.eventMs === null || without.openLoop.eventMs === null || cell.mode !== "sse-paced"
      ? []
      : [difference(round.openLoop.eventMs, without.openLoop.eventMs)],
  );
  return {
    target: first.target,
    replicas: cell.replicas,
    bodyKb: cell.bodyKb,
    mode: cell.mode,
    rounds: rounds.length,
    rps: rates.length === 0 ? null : median(rates),
    rpsRange: rates.length === 0 ? null : [Math.min(...rates), Math.max(...rates)],
    coreShare: medianOrNull(saturated.map((each) => each.coreShare)),
    rpsPerCore: saturated.length === 0 || cpuUsPerRequest === null ? null : 1e6 / cpuUsPerRequest,
    failedAtFullLoad: sum(saturated.map(({ failed }) => failed)),
    offeredRps: cell.offeredRps,
    failedAtOfferedRate: sum(rounds.map(({ openLoop }) => openLoop.failed)),
    latencyMs: medianQuantiles(rounds.map(latencyOf)),
    addedMs: medianQuantiles(
      paired.map(({ round, without }) => difference(latencyOf(round), latencyOf(without))),
    ),
    addedPerChunkMs: perChunk.length === 0 ? null : medianQuantiles(perChunk),
    cpuUsPerRequest,
    cpuUsPerChunk: medianOrNull(busy.map((each) => each.cpuUsPerChunk)),
    cpuUsPerRequestAtOfferedRate: medianOrNull(rounds.map(({ openLoop }) => openLoop.cpuUsPerRequest)),
    databaseCpuUsPerRequest: medianOrNull(busy.map((each) => each.databaseCpuUsPerRequest)),
  };
}

function latencyOf({ cell, openLoop }: CellMeasurement): Quantiles {
  return cell.mode === "json" ? openLoop.latencyMs : openLoop.firstByteMs;
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}

function medianQuantiles(all: readonly Quantiles[]): Quantiles {
  return {
    p50: median(all.map(({ p50 }) => p50)),
    p95: median(all.map(({ p95 }) => p95)),
    p99: median(all.map(({ p99 }) => p99)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** 200-token prompts at 500/s: p50 < 1 ms and p95 < 5 ms added; 100,000-token prompts at 10/s: p95 < 15 ms added. */
function barsOf(result: ProxyResult): Bar[] {
  if (!result.target.startsWith("evenkeel:") || result.mode !== "json" || result.replicas !== 10) return [];
  const bar = (quantile: "p50" | "p95", limitMs: number): Bar => ({
    what: `${result.bodyKb} KiB at ${result.offeredRps} requests/s, added ${quantile}`,
    target: result.target,
    limitMs,
    measuredMs: result.addedMs[quantile],
    isMet: result.addedMs[quantile] < limitMs && result.failedAtOfferedRate === 0,
  });
  if (result.bodyKb === 1) return [bar("p50", 1), bar("p95", 5)];
  if (result.bodyKb === 400) return [bar("p95", 15)];
  return [];
}
