import type { RowGroup } from "./group-rows.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { fullValue, gapWords } from "./matrix-value.ts";

/** A span in the largest unit that divides it: `1 h`, `6 w`, `90 min`; odd seconds count below two minutes only. */
export function spanWords(spanMs: number): string {
  const units: [number, string][] = [
    [604_800_000, "w"],
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1000, "s"],
  ];
  const rounded = Math.max(1000, Math.round(spanMs / 1000) * 1000);
  for (const [ms, name] of units) {
    if (name === "s" && rounded >= 120_000) break;
    if (rounded >= ms && rounded % ms === 0) return `${rounded / ms} ${name}`;
  }
  return `${Math.round(rounded / 60_000)} min`;
}

/** The page's first line: how much is shown, what is over the guard, and the widest gap with its two replicas. */
export function matrixSummary(groups: readonly RowGroup[], metric: MatrixMetric, spanMs: number): string {
  const rows = groups.flatMap((group) => group.rows);
  const sentences = [`${rows.length} ${rows.length === 1 ? "replica" : "replicas"}, ${spanWords(spanMs)}.`];
  const known = rows.filter(({ row }) => row.now !== null).length;
  if (metric.guard !== null && known > 0) {
    const guard = metric.guard;
    const above = rows.filter(({ row }) => row.now !== null && row.now >= guard).length;
    sentences.push(`${above === 0 ? "None" : above} above the ${fullValue(metric, guard)} guard now.`);
  }
  const widest = groups.reduce<RowGroup | null>(
    (best, group) => (group.spread && group.spread.gap > (best?.spread?.gap ?? -1) ? group : best),
    null,
  );
  if (widest?.spread && widest.spread.gap > 0) {
    const { gap, hottest, coolest } = widest.spread;
    sentences.push(`Widest gap ${gapWords(metric, gap)}, ${hottest} to ${coolest}.`);
  }
  const unknown = rows.length - known;
  if (unknown > 0) sentences.push(`${unknown} without a value now.`);
  return sentences.join(" ");
}
