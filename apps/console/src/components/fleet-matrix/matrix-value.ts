import { grouped } from "#format/number.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";

/** A value of the metric without its unit, as the gutter shows it: `94`, `1 240`, `12.4`. */
export function bareValue(metric: MatrixMetric, value: number): string {
  if (metric.unit === "share") {
    const percent = value * 100;
    // 91.9 % must not read as 92 where 92 % is the guard: it would say the row is over it.
    if (metric.guard !== null && value < metric.guard && Math.round(percent) >= metric.guard * 100) {
      return grouped(Math.floor(percent * 10) / 10, 1);
    }
    return percent > 0 && percent < 9.95 ? percent.toFixed(1) : grouped(percent);
  }
  if (metric.unit === "ms" && value >= 10_000) return grouped(value / 1000, value < 100_000 ? 1 : 0);
  return grouped(value);
}

/** Unit that follows `bareValue`. */
export function valueUnit(metric: MatrixMetric, value: number): string {
  if (metric.unit === "share") return "%";
  if (metric.unit === "ms") return value >= 10_000 ? "s" : "ms";
  return "";
}

/** A value with its unit, or what to say when there is none. */
export function fullValue(metric: MatrixMetric, value: number | null): string {
  if (value === null) return "no value";
  return `${bareValue(metric, value)} ${valueUnit(metric, value)}`.trimEnd();
}

/** A difference with its sign: `+20`, `−3`, `0`. Shares in points. */
export function signedDelta(metric: MatrixMetric, delta: number): string {
  const scaled = metric.unit === "share" ? delta * 100 : delta;
  const text = grouped(Math.round(scaled));
  return Math.round(scaled) > 0 ? `+${text}` : text;
}

/** Heading of the difference column. */
export function deltaUnit(metric: MatrixMetric): string {
  return metric.unit === "share" ? "pt" : metric.unit === "ms" ? "ms" : "";
}

/** A distance in words: `33 points`, `412 ms`, `7`. */
export function gapWords(metric: MatrixMetric, gap: number): string {
  if (metric.unit === "share") {
    const points = Math.round(gap * 100);
    return `${points} ${points === 1 ? "point" : "points"}`;
  }
  return fullValue(metric, gap);
}
