"use client";

import { memo, useMemo } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { REASON_ORDER, reasonColour, reasonWord } from "#components/decision-list/reason-look.ts";
import { timeTicks } from "#components/fleet-matrix/time-ticks.ts";
import { grouped } from "#format/number.ts";
import { dayClock } from "#format/time.ts";
import type { ReasonHistogram, ReasonOrRejected } from "#server/decisions/count-decisions.ts";

interface ReasonBarsProps {
  readonly histogram: ReasonHistogram;
  readonly isShare: boolean;
  /** IANA name for the axis, and the screen's zone for the tooltip. */
  readonly timeZone: string;
  readonly height: number;
  /** Zooms into a bar's time. */
  readonly onBin: (fromMs: number, toMs: number) => void;
}

type BarRow = { readonly atMs: number; readonly total: number } & Partial<Record<ReasonOrRejected, number>>;

/** Decisions per second and reason over time, stacked; or the shares of each bar. */
function ReasonBars({ histogram, isShare, timeZone, height, onBin }: ReasonBarsProps) {
  const { t0Ms, stepMs, columns } = histogram;
  const rows = useMemo(() => barRows(histogram, isShare), [histogram, isShare]);
  const present = REASON_ORDER.filter((reason) => histogram.counts.some((count) => count.reason === reason));
  const levels = useMemo(() => (isShare ? [0, 0.25, 0.5, 0.75, 1] : roundLevels(rows)), [rows, isShare]);
  const endMs = t0Ms + columns * stepMs;
  // The axis has a place per bar: a tick stands at the bar that holds its time.
  const ticks = useMemo(
    () =>
      timeTicks(t0Ms, endMs - 1, 7, timeZone).map((tick) => ({
        label: tick.label,
        atMs: t0Ms + Math.floor((tick.atMs - t0Ms) / stepMs) * stepMs,
      })),
    [t0Ms, endMs, stepMs, timeZone],
  );
  return (
    <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 640, height }}>
      <BarChart
        data={rows}
        margin={{ top: 6, right: 16, bottom: 0, left: 0 }}
        barCategoryGap={1}
        accessibilityLayer={false}
        onClick={(state) => {
          const index = Number(state.activeIndex);
          const row = rows[index];
          if (row) onBin(row.atMs, row.atMs + stepMs);
        }}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="atMs"
          ticks={ticks.map((tick) => tick.atMs)}
          interval={0}
          tickFormatter={(atMs: number) => ticks.find((tick) => tick.atMs === atMs)?.label ?? ""}
          tick={{ fill: "var(--muted)", fontSize: 11 }}
          tickLine={false}
          axisLine={{ stroke: "var(--line-2)" }}
          height={18}
        />
        <YAxis
          width={36}
          tick={{ fill: "var(--muted)", fontSize: 11 }}
          tickLine={false}
          axisLine={false}
          ticks={levels}
          domain={[0, levels.at(-1) ?? 1]}
          tickFormatter={(value: number) => (isShare ? `${Math.round(value * 100)}%` : rateWord(value))}
        />
        <Tooltip
          cursor={{ fill: "var(--hover)" }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const row: unknown = payload?.[0]?.payload;
            return active && isBarRow(row) ? (
              <BarTooltip row={row} isShare={isShare} timeZone={timeZone} />
            ) : null;
          }}
        />
        {present.map((reason) => (
          <Bar
            key={reason}
            dataKey={reason}
            stackId="reason"
            fill={reasonColour(reason)}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

/** Drawn anew only for new counts: hundreds of bars are no matter for every keystroke beside them. */
export default memo(ReasonBars);

/** Every bin, empty ones too: a bar's width must not depend on what happened beside it. */
function barRows(
  { t0Ms, stepMs, columns, counts, fromMs, toMs }: ReasonHistogram,
  isShare: boolean,
): BarRow[] {
  const totals = new Array<number>(columns).fill(0);
  for (const { bin, count } of counts) totals[bin] = (totals[bin] ?? 0) + count;
  const rows: Record<string, number>[] = totals.map((total, bin) => ({ atMs: t0Ms + bin * stepMs, total }));
  // A bin that the range covers in part is a rate over that part, not a dip.
  const coveredSeconds = (bin: number) => {
    const startMs = t0Ms + bin * stepMs;
    return Math.max(1, (Math.min(startMs + stepMs, toMs) - Math.max(startMs, fromMs)) / 1000);
  };
  for (const { bin, reason, count } of counts) {
    const row = rows[bin];
    if (row) row[reason] = isShare ? count / Math.max(1, totals[bin] ?? 1) : count / coveredSeconds(bin);
  }
  return rows as unknown as BarRow[]; // built above: a time, a total, and one number per reason
}

/** Three to six round levels, from none to above the highest bar. */
function roundLevels(rows: readonly BarRow[]): number[] {
  const highest = Math.max(
    0.1,
    ...rows.map((row) => REASON_ORDER.reduce((sum, reason) => sum + (row[reason] ?? 0), 0)),
  );
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [0.2, 0.5, 1, 2].map((part) => part * power).find((one) => highest / one <= 5) ?? 2 * power;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, level) => level * step);
}

function isBarRow(row: unknown): row is BarRow {
  return typeof row === "object" && row !== null && "atMs" in row && "total" in row;
}

function rateWord(value: number): string {
  if (value === 0) return "0";
  return `${value < 1 ? value.toFixed(1) : grouped(value, Number.isInteger(value) ? 0 : 1)}/s`;
}

function BarTooltip({
  row,
  isShare,
  timeZone,
}: {
  readonly row: BarRow;
  readonly isShare: boolean;
  readonly timeZone: string;
}) {
  return (
    <div className="rounded-md border border-line-2 bg-raise px-2 py-1.5 text-label">
      <div className="mb-1 flex justify-between gap-4">
        <span className="mono">{dayClock(row.atMs, timeZone)}</span>
        <span className="font-medium">{grouped(row.total)}</span>
      </div>
      {REASON_ORDER.filter((reason) => row[reason] !== undefined).map((reason) => (
        <div key={reason} className="flex items-center gap-2">
          <span className="size-2.5 rounded-xs" style={{ background: reasonColour(reason) }} />
          <span className="text-muted">{reasonWord(reason)}</span>
          <span className="ml-auto pl-4">
            {isShare ? `${Math.round((row[reason] ?? 0) * 100)} %` : rateWord(row[reason] ?? 0)}
          </span>
        </div>
      ))}
    </div>
  );
}
