"use client";

import { useMemo, useRef } from "react";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { scalePosition } from "./matrix-scale.ts";
import { fullValue } from "./matrix-value.ts";
import { divergingLut, lutColour, type Ramp, sequentialLut } from "./ramp-lut.ts";
import { useMatrixTheme } from "./use-matrix-theme.ts";

const STOPS = 16;

/** The ramp with its fixed domain printed, and the signs that are not colours. */
export function MatrixLegend({
  metric,
  mode,
  ramp,
}: {
  readonly metric: MatrixMetric;
  readonly mode: "absolute" | "divergence";
  readonly ramp: Ramp;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const theme = useMatrixTheme(ref);
  const gradient = useMemo(() => {
    if (!theme) return undefined;
    const lut = mode === "absolute" ? sequentialLut(ramp, theme.name) : divergingLut(theme.diverging);
    const stops = Array.from({ length: STOPS + 1 }, (_, at) =>
      lutColour(lut, Math.round((at / STOPS) * 254)),
    );
    return `linear-gradient(to right, ${stops.join(", ")})`;
  }, [theme, mode, ramp]);
  const { low, high } = domainWords(metric, mode);
  const guardAt =
    mode === "absolute" && metric.guard !== null ? scalePosition(metric.scale, metric.guard) : null;
  return (
    <div
      ref={ref}
      className="flex flex-wrap items-center gap-1.5 text-micro whitespace-nowrap"
      data-testid="matrix-legend"
    >
      <span className="font-medium">{mode === "divergence" ? "minus group median" : metric.subject}</span>
      <span className="text-muted">{low}</span>
      <span className="relative h-2.5 w-32" style={gradient ? { backgroundImage: gradient } : undefined}>
        {guardAt === null ? null : (
          <span
            className="absolute -top-0.5 -bottom-0.5 w-px bg-text"
            style={{ left: `${guardAt * 100}%` }}
            title={`guard ${fullValue(metric, metric.guard)}`}
          />
        )}
      </span>
      <span className="text-muted">{high}</span>
    </div>
  );
}

/** Ends of the domain: fixed, so that screens and moments can be compared. */
function domainWords(metric: MatrixMetric, mode: "absolute" | "divergence"): { low: string; high: string } {
  const { scale, divergenceReach } = metric;
  if (mode === "absolute") {
    const logWord = scale.kind === "log" ? ", log" : "";
    return { low: "0", high: `${fullValue(metric, scale.max)}${logWord}` };
  }
  if (scale.kind === "linear") {
    const points = divergenceReach * (metric.unit === "share" ? 100 : 1);
    return { low: `−${points}`, high: `+${points} ${metric.unit === "share" ? "pt" : ""}`.trim() };
  }
  return { low: `÷${divergenceReach}`, high: `×${divergenceReach}` };
}

/** What hatch, outline, notch and tick mean. */
export function MatrixKey({
  metric,
  cells,
  noDataBefore,
}: {
  readonly metric: MatrixMetric;
  /** How long one cell lasts, in words. */
  readonly cells: string | null;
  /** When the store's data begin, in words, where the range shows it; else null. */
  readonly noDataBefore: string | null;
}) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-micro whitespace-nowrap text-muted">
      {cells === null ? null : (
        <span title="A cell shows the highest value of its time: a mean would hide spikes">
          cells {cells} max
        </span>
      )}
      <span className="flex items-center gap-1">
        <span
          aria-hidden="true"
          className="inline-block h-2.5 w-3"
          style={{
            backgroundImage: "repeating-linear-gradient(135deg, var(--line-2) 0 1px, transparent 1px 4px)",
          }}
        />
        {noDataBefore === null ? "no data" : `no data, none before ${noDataBefore}`}
      </span>
      <span className="flex items-center gap-1">
        <span aria-hidden="true" className="inline-block h-2.5 w-2 border border-warn" />
        stale
      </span>
      <span className="flex items-center gap-1">
        <span
          aria-hidden="true"
          className="inline-block h-0 w-0 border-x-[3px] border-b-[5px] border-x-transparent border-b-text"
        />
        came back
      </span>
      {metric.guard === null ? null : (
        <span className="flex items-center gap-1">
          <span aria-hidden="true" className="inline-block h-2.5 w-2 border-t-2 border-t-text bg-raise" />≥{" "}
          {fullValue(metric, metric.guard)}
        </span>
      )}
    </span>
  );
}
