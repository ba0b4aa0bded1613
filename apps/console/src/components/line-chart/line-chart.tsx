"use client";

import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import type uPlot from "uplot";
import { timeTicks } from "#components/fleet-matrix/time-ticks.ts";
import { useElementSize } from "#components/fleet-matrix/use-element-size.ts";
import { useMatrixTheme } from "#components/fleet-matrix/use-matrix-theme.ts";

export interface LineSeries {
  readonly label: string;
  /** CSS variable of the colour: `--dv4`. */
  readonly token: string;
  /** The highest of each bin. */
  readonly values: readonly (number | null)[];
  /** The newest reading, for the legend; null when there is none. */
  readonly newest: number | null;
  readonly isDashed?: boolean;
}

interface LineChartProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly timesMs: readonly number[];
  readonly series: readonly LineSeries[];
  /** Fixed top of the axis; absent: the data decides. */
  readonly max?: number;
  /** A dashed line at a limit. */
  readonly limit?: number;
  readonly format: (value: number) => string;
  readonly timeZone: string;
  readonly height: number;
  /** Charts of one name move their cursors together. */
  readonly syncKey?: string;
}

/** A few dense lines over time. The library is loaded when the first chart is shown. */
export function LineChart(props: LineChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(holder);
  const theme = useMatrixTheme(holder);
  const { timesMs, series, max, limit, format, timeZone, height, syncKey } = props;

  useEffect(() => {
    const target = holder.current;
    if (!target || !theme || width === 0) return;
    let chart: uPlot | null = null;
    let isGone = false;
    const style = getComputedStyle(target);
    const colour = (token: string) => style.getPropertyValue(token).trim();
    const font = `11px ${theme.sans}`;
    const axis = {
      stroke: theme.muted,
      font,
      ticks: { show: false },
      grid: { stroke: theme.line, width: 1 },
    };
    void import("uplot").then(({ default: Chart }) => {
      if (isGone) return;
      const first = timesMs[0] ?? 0;
      const last = timesMs.at(-1) ?? 1;
      const ticks = timeTicks(first, last, Math.max(2, Math.floor(width / 96)), timeZone);
      chart = new Chart(
        {
          width,
          height,
          padding: [6, 4, 0, 0],
          legend: { show: false },
          cursor: {
            y: false,
            points: { size: 5 },
            drag: { x: false, y: false },
            ...(syncKey ? { sync: { key: syncKey } } : {}),
          },
          scales: {
            x: { time: false },
            y: { range: (_self, _low, high) => [0, max ?? Math.max(1e-9, (high ?? 1) * 1.08)] },
          },
          axes: [
            {
              ...axis,
              size: 20,
              gap: 3,
              grid: { show: false },
              splits: () => ticks.map((tick) => tick.atMs),
              values: () => ticks.map((tick) => tick.label),
            },
            {
              ...axis,
              size: 54,
              gap: 4,
              space: 28,
              values: (_self, values) => values.map((value) => (value === 0 ? "0" : format(value))),
            },
          ],
          series: [
            {},
            ...series.map((line) => ({
              label: line.label,
              stroke: colour(line.token),
              width: 1.5,
              spanGaps: false,
              points: { show: false },
              ...(line.isDashed ? { dash: [4, 3] } : {}),
            })),
          ],
          hooks: {
            draw: [
              (self) => {
                if (limit === undefined) return;
                const y = self.valToPos(limit, "y", true);
                self.ctx.save();
                self.ctx.strokeStyle = theme.crit;
                self.ctx.setLineDash([4, 4]);
                self.ctx.beginPath();
                self.ctx.moveTo(self.bbox.left, y);
                self.ctx.lineTo(self.bbox.left + self.bbox.width, y);
                self.ctx.stroke();
                self.ctx.restore();
              },
            ],
            setCursor: [(self) => writeReadout(target, self.cursor.idx ?? null, series, format)],
          },
        },
        [[...timesMs], ...series.map((line) => [...line.values])],
        target,
      );
    });
    return () => {
      isGone = true;
      chart?.destroy();
    };
  }, [theme, width, timesMs, series, max, limit, format, timeZone, height, syncKey]);

  return (
    <figure className="m-0">
      <figcaption className="sr-only">{props.label}</figcaption>
      <div ref={holder} className="min-w-0" style={{ height }} aria-hidden="true" />
      <div className="flex flex-wrap gap-x-3 text-micro text-muted">
        {series.map((line) => (
          <span key={line.label} className="flex items-center gap-1">
            <span
              aria-hidden="true"
              className="inline-block h-0.5 w-3"
              style={{ background: `var(${line.token})` }}
            />
            {line.label}
            <span data-readout={line.label} className="font-medium text-text">
              {readoutWords(line, null, format)}
            </span>
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Writes the values under the cursor into the legend, without rendering: the cursor moves at the screen's rate. */
function writeReadout(
  target: HTMLElement,
  index: number | null,
  series: readonly LineSeries[],
  format: (value: number) => string,
): void {
  const figure = target.closest("figure");
  for (const line of series) {
    const place = [...(figure?.querySelectorAll<HTMLElement>("[data-readout]") ?? [])].find(
      (element) => element.dataset["readout"] === line.label,
    );
    if (place) place.textContent = readoutWords(line, index, format);
  }
}

/** The newest reading, or under the cursor the bin's highest and that it is one. */
function readoutWords(line: LineSeries, index: number | null, format: (value: number) => string): string {
  const value = index === null ? line.newest : (line.values[index] ?? null);
  if (value === null) return "–";
  return index === null ? format(value) : `highest ${format(value)}`;
}
