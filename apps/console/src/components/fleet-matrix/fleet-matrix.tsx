"use client";

import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { readCell } from "./cell-readout.ts";
import { CellTooltip, cellNotes, cellTime, tooltipBox } from "./cell-tooltip.tsx";
import { drawMatrix } from "./draw-matrix.ts";
import { type CellPlace, drawOverlay } from "./draw-overlay.ts";
import type { RowGroup } from "./group-rows.ts";
import { cellPlane, renderGroups, windowPlanes } from "./matrix-cells.ts";
import {
  AXIS_HEIGHT,
  bodyY,
  columnAt,
  HEAD_HEIGHT,
  type MatrixGeometry,
  nameGutter,
  RIGHT_GUTTER,
} from "./matrix-geometry.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { fullValue } from "./matrix-value.ts";
import type { Matrix } from "./matrix-wire.ts";
import { placeTooltip } from "./place-tooltip.ts";
import { divergingLut, parseColour, type Ramp, sequentialLut } from "./ramp-lut.ts";
import { layoutRows, rowAt, rowsBetween, rowTop } from "./row-layout.ts";
import { stepFocus } from "./step-focus.ts";
import { useElementSize } from "./use-element-size.ts";
import { useMatrixTheme } from "./use-matrix-theme.ts";

/** Pixels of scrolling after which the images are rendered for the next part of the fleet. */
const WINDOW_STEP = 256;

interface FleetMatrixProps {
  readonly matrix: Matrix;
  readonly metric: MatrixMetric;
  readonly groups: readonly RowGroup[];
  readonly mode: "absolute" | "divergence";
  readonly ramp: Ramp;
  /** All rows in the height at hand instead of readable rows that scroll. */
  readonly fit: boolean;
  /** IANA name. */
  readonly timeZone: string;
  readonly selected: readonly string[];
  /** Id of the element that says in a sentence what the matrix shows. */
  readonly describedBy: string;
  readonly onOpen: (replica: string) => void;
  /** True while the reader holds the picture still with pointer or focus. */
  readonly onHold: (held: boolean) => void;
  readonly onPlotWidth: (width: number) => void;
}

/** Replicas × time, on two canvases: cells and words below, crosshair and focus above. */
export const FleetMatrix = memo(function FleetMatrix(props: FleetMatrixProps) {
  const { matrix, metric, groups, mode, ramp, fit, timeZone, selected, onOpen, onHold, onPlotWidth } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const size = useElementSize(scroller);
  const theme = useMatrixTheme(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const [hover, setHover] = useState<CellPlace | null>(null);
  const [focus, setFocus] = useState<CellPlace | null>(null);

  const longestName = useMemo(
    () =>
      groups.reduce(
        (most, group) => group.rows.reduce((longest, { row }) => Math.max(longest, row.id.length), most),
        0,
      ),
    [groups],
  );
  const left = nameGutter(longestName);
  const plotWidth = Math.max(0, size.width - left - RIGHT_GUTTER);
  const room = Math.max(0, size.height - HEAD_HEIGHT - AXIS_HEIGHT);
  useEffect(() => {
    if (plotWidth > 0) onPlotWidth(plotWidth);
  }, [plotWidth, onPlotWidth]);

  const layout = useMemo(() => layoutRows(groups, fit, room), [groups, fit, room]);
  const bodyHeight = Math.min(room, Math.ceil(layout.height) + 4);
  const geometry = useMemo(
    (): MatrixGeometry => ({
      width: size.width,
      height: size.height,
      left,
      plotWidth,
      bodyHeight,
      scrollTop: Math.min(scrollTop, Math.max(0, layout.height - bodyHeight)),
      columns: matrix.header.columns,
      layout,
    }),
    [size, left, plotWidth, bodyHeight, scrollTop, layout, matrix],
  );

  // Images cover what is in view and a little around it; scrolling farther renders the next part.
  const windowTop = Math.max(0, Math.floor(geometry.scrollTop / WINDOW_STEP) - 0.5) * WINDOW_STEP;
  const lut = useMemo(() => {
    if (!theme) return null;
    return mode === "absolute" ? sequentialLut(ramp, theme.name) : divergingLut(theme.diverging);
  }, [theme, mode, ramp]);
  const plane = useMemo(() => cellPlane(matrix, metric, groups, mode), [matrix, metric, groups, mode]);
  const planes = useMemo(() => {
    const ratio = typeof window === "undefined" ? 1 : window.devicePixelRatio;
    const windows = layout.groups.map((laid) => {
      const rows = rowsBetween(laid, windowTop, windowTop + bodyHeight + 2 * WINDOW_STEP);
      return {
        group: laid.group,
        maxLines: Math.ceil(laid.bodyHeight * ratio),
        firstRow: rows.first,
        lastRow: rows.last,
      };
    });
    return windowPlanes(matrix, plane, windows, mode);
  }, [matrix, plane, layout, mode, windowTop, bodyHeight]);
  const images = useMemo(() => {
    if (!lut || !theme || bodyHeight === 0) return null;
    const [red, green, blue] = parseColour(theme.text);
    const tick = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    return renderGroups(matrix, metric, planes, lut, tick);
  }, [matrix, metric, planes, lut, theme, bodyHeight]);

  useEffect(() => {
    const context = prepare(base.current, geometry);
    if (!context || !theme || !images) return;
    drawMatrix(context, {
      matrix,
      metric,
      images,
      geometry,
      theme,
      timeZone,
      selected,
    });
  }, [matrix, metric, images, geometry, theme, timeZone, selected]);

  useEffect(() => {
    const context = prepare(overlay.current, geometry);
    if (context && theme) drawOverlay(context, { geometry, theme, hover, focus, selected });
  }, [geometry, theme, hover, focus, selected]);

  const isHeld = hover !== null || focus !== null;
  useEffect(() => onHold(isHeld), [isHeld, onHold]);

  const find = useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const box = event.currentTarget.getBoundingClientRect();
      const x = event.clientX - box.left;
      const y = event.clientY - box.top;
      const inBody = bodyY(geometry, y);
      const hit = inBody === null ? null : rowAt(geometry.layout, inBody);
      return { hit, column: columnAt(geometry, x) };
    },
    [geometry],
  );
  const readoutAt = (place: CellPlace | null) => {
    const group = place
      ? groups.find((one) => one.rows.some(({ row }) => row.id === place.replica))
      : undefined;
    const ranked = place ? group?.rows.find(({ row }) => row.id === place.replica) : undefined;
    if (!place || !group || !ranked || place.column >= matrix.header.columns) return null;
    return readCell(matrix, metric, group, ranked.index, place.column);
  };
  const zoneWord = timeZone === "UTC" ? "UTC" : timeZone;
  const hoverReadout = readoutAt(hover);
  const focusReadout = readoutAt(focus);
  const timeOf = (column: number) => cellTime(matrix.header.t0Ms, matrix.header.stepMs, column, timeZone);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Enter" && focus) {
      onOpen(focus.replica);
      event.preventDefault();
      return;
    }
    if (event.key === "Escape" && focus) {
      setFocus(null);
      event.stopPropagation();
      return;
    }
    const next = stepFocus(groups, matrix.header.columns, focus, event.key);
    if (!next) return;
    event.preventDefault();
    setFocus(next);
    scrollIntoView(scroller.current, geometry, next.replica);
  };

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        // A grid of 1.4 million cells has no DOM cells to be a grid of: keys are handled here, the focused cell is
        // spoken by the live region below, and the table twin holds every value.
        role="application"
        aria-roledescription="heatmap"
        aria-label={`${metric.subject} by replica and time. Arrow keys move, Enter opens the replica. The Table tab has the same data.`}
        aria-describedby={props.describedBy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application widget takes the focus itself
        tabIndex={0}
        className="absolute inset-0 cursor-crosshair overflow-x-hidden overflow-y-auto focus-visible:-outline-offset-2"
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const { hit, column } = find(event);
          const next = hit && column !== null ? { replica: hit.ranked.row.id, column } : null;
          setHover((old) => (old?.replica === next?.replica && old?.column === next?.column ? old : next));
        }}
        onPointerLeave={() => setHover(null)}
        onClick={(event) => {
          const { hit } = find(event);
          if (hit) onOpen(hit.ranked.row.id);
        }}
        onBlur={() => setFocus(null)}
      >
        <div style={{ height: Math.max(size.height, layout.height + HEAD_HEIGHT + AXIS_HEIGHT) }}>
          <div className="sticky top-0" style={{ height: size.height, width: size.width }}>
            <canvas ref={base} className="absolute inset-0 block size-full" />
            <canvas ref={overlay} className="pointer-events-none absolute inset-0 block size-full" />
          </div>
        </div>
      </div>
      {hover && hoverReadout ? (
        <CellTooltip
          replica={hover.replica}
          time={timeOf(hover.column)}
          zone={zoneWord}
          metric={metric}
          readout={hoverReadout}
          {...placeTooltip(geometry, hover, tooltipBox(hoverReadout))}
        />
      ) : null}
      <div aria-live="polite" className="sr-only">
        {focus && focusReadout
          ? `${focus.replica}, ${timeOf(focus.column)} ${zoneWord}, ${fullValue(metric, focusReadout.value)}, group median ${fullValue(metric, focusReadout.groupMedian)}${focusReadout.rank === null ? "" : `, rank ${focusReadout.rank} of ${focusReadout.ranked}`}${cellNotes(
              focusReadout,
            )
              .map((note) => `, ${note}`)
              .join("")}`
          : ""}
      </div>
    </div>
  );
});

/** Sizes a canvas for the screen's pixel ratio; null when it has no size yet. */
function prepare(
  canvas: HTMLCanvasElement | null,
  { width, height }: MatrixGeometry,
): CanvasRenderingContext2D | null {
  if (!canvas || width === 0 || height === 0) return null;
  const ratio = window.devicePixelRatio;
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function scrollIntoView(scroller: HTMLElement | null, geometry: MatrixGeometry, replica: string): void {
  const top = rowTop(geometry.layout, replica);
  if (!scroller || top === null) return;
  if (top < geometry.scrollTop) scroller.scrollTop = Math.max(0, top - 20);
  else if (top + geometry.layout.rowHeight > geometry.scrollTop + geometry.bodyHeight) {
    scroller.scrollTop = top + geometry.layout.rowHeight - geometry.bodyHeight;
  }
}
