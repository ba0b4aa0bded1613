import { clock, dayClock } from "#format/time.ts";
import type { CellReadout } from "./cell-readout.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { fullValue, signedDelta } from "./matrix-value.ts";
import type { Box } from "./place-tooltip.ts";

/** Time a cell covers, in the screen's zone. */
export function cellTime(t0Ms: number, stepMs: number, column: number, timeZone: string): string {
  const atMs = t0Ms + column * stepMs;
  return stepMs < 60_000 ? clock(atMs, timeZone) : dayClock(atMs, timeZone);
}

/** Notes of a cell in words. */
export function cellNotes(readout: CellReadout): string[] {
  return [
    ...(readout.value === null ? ["nothing was read"] : []),
    ...(readout.isStale ? ["stale signal"] : []),
    ...(readout.isRestart ? ["came back here"] : []),
  ];
}

/** Size of the tooltip: known before it is drawn, so that it can be placed. */
export function tooltipBox(readout: CellReadout): Box {
  return { width: 216, height: 84 + 18 * cellNotes(readout).length };
}

/** What the cell under the pointer says. */
export function CellTooltip({
  replica,
  time,
  zone,
  metric,
  readout,
  x,
  y,
}: {
  readonly replica: string;
  readonly time: string;
  readonly zone: string;
  readonly metric: MatrixMetric;
  readonly readout: CellReadout;
  /** Top left corner, from `placeTooltip`. */
  readonly x: number;
  readonly y: number;
}) {
  const { value, groupMedian, rank, ranked } = readout;
  const delta = value !== null && groupMedian !== null ? value - groupMedian : null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 rounded-md border border-line-2 bg-raise px-2 py-1.5 text-label"
      style={{ left: x, top: y, width: tooltipBox(readout).width }}
    >
      <div className="flex items-baseline justify-between gap-4">
        <span className="mono min-w-0 truncate font-medium">{replica}</span>
        <span className="mono min-w-0 truncate text-muted">
          {time} {zone}
        </span>
      </div>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3">
        <dt className="text-muted">{metric.subject}</dt>
        <dd className="text-right font-semibold">{fullValue(metric, value)}</dd>
        <dt className="text-muted">Group median</dt>
        <dd className="text-right">
          {fullValue(metric, groupMedian)}
          {delta === null ? null : <span className="text-muted"> ({signedDelta(metric, delta)})</span>}
        </dd>
        <dt className="text-muted">Rank</dt>
        <dd className="text-right">{rank === null ? "–" : `${rank} of ${ranked}`}</dd>
      </dl>
      {cellNotes(readout).map((note) => (
        <div key={note} className="text-warn">
          {note}
        </div>
      ))}
    </div>
  );
}
