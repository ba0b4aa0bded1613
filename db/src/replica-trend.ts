import { LogHistogram } from "./log-histogram.ts";

/** Mean and peak of a gauge over its snapshots; null when it was never known. */
export interface GaugeTrend {
  readonly mean: number | null;
  readonly max: number | null;
}

/** What one replica did in one stretch of time: a row of `replica_minutes` or `replica_hours`. */
export interface ReplicaTrend {
  readonly startedAtMs: number;
  /** `replicas.num` */
  readonly replica: number;
  readonly requests: number;
  readonly failures: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly snapshots: number;
  readonly kvOccupancy: GaugeTrend;
  readonly queueDepth: GaugeTrend;
  readonly running: GaugeTrend;
  readonly ttftMs: LogHistogram;
  readonly itlMs: LogHistogram;
  readonly heldMs: LogHistogram;
  readonly promptLength: LogHistogram;
  readonly outputLength: LogHistogram;
}

/** The trend of a longer time, or of several replicas, from those of its parts. */
export function mergeTrends(
  startedAtMs: number,
  replica: number,
  parts: readonly ReplicaTrend[],
): ReplicaTrend {
  const sum = (read: (part: ReplicaTrend) => number) => parts.reduce((total, part) => total + read(part), 0);
  const histogram = (read: (part: ReplicaTrend) => LogHistogram) => {
    const merged = new LogHistogram();
    for (const part of parts) merged.merge(read(part));
    return merged;
  };
  return {
    startedAtMs,
    replica,
    requests: sum((part) => part.requests),
    failures: sum((part) => part.failures),
    promptTokens: sum((part) => part.promptTokens),
    cachedTokens: sum((part) => part.cachedTokens),
    outputTokens: sum((part) => part.outputTokens),
    snapshots: sum((part) => part.snapshots),
    kvOccupancy: mergeGauges(parts, (part) => part.kvOccupancy),
    queueDepth: mergeGauges(parts, (part) => part.queueDepth),
    running: mergeGauges(parts, (part) => part.running),
    ttftMs: histogram((part) => part.ttftMs),
    itlMs: histogram((part) => part.itlMs),
    heldMs: histogram((part) => part.heldMs),
    promptLength: histogram((part) => part.promptLength),
    outputLength: histogram((part) => part.outputLength),
  };
}

/** Means weigh by the snapshots behind them; parts that know nothing do not count. */
function mergeGauges(parts: readonly ReplicaTrend[], read: (part: ReplicaTrend) => GaugeTrend): GaugeTrend {
  let weight = 0;
  let weighted = 0;
  let max: number | null = null;
  for (const part of parts) {
    const gauge = read(part);
    if (gauge.mean === null || gauge.max === null) continue;
    weight += part.snapshots;
    weighted += gauge.mean * part.snapshots;
    max = max === null ? gauge.max : Math.max(max, gauge.max);
  }
  return { mean: weight === 0 ? null : weighted / weight, max };
}
