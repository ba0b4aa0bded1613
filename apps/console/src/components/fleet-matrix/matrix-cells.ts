import { columnMedians, writeDivergence } from "./column-medians.ts";
import { type DisplayPlane, displayPlane, paintWords } from "./display-plane.ts";
import type { RowGroup } from "./group-rows.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { divergenceReach, encodeCell, MAX_BYTE, MISSING_BYTE } from "./matrix-scale.ts";
import type { Matrix } from "./matrix-wire.ts";
import type { ColourLut } from "./ramp-lut.ts";

/** One group's cells as images of one pixel per cell, stretched when drawn. */
export interface GroupImage {
  readonly key: string;
  /** Index of the first row in the image: rows out of view are not drawn. */
  readonly firstRow: number;
  /** Rows the image covers. */
  readonly rows: number;
  readonly cells: OffscreenCanvas;
  /** Ticks of cells at or above the guard, one pixel per cell; null when the metric has no guard or rows are pooled. */
  readonly ticks: OffscreenCanvas | null;
  readonly isPooled: boolean;
}

function toCanvas(plane: DisplayPlane, lut: ColourLut): OffscreenCanvas {
  const canvas = new OffscreenCanvas(plane.columns, plane.lines);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser gives no 2d context for an OffscreenCanvas");
  const image = context.createImageData(plane.columns, plane.lines);
  paintWords(new Uint32Array(image.data.buffer), plane.bytes, lut);
  context.putImageData(image, 0, 0);
  return canvas;
}

/** The plane the cells are coloured by: the values themselves, or their distance from the group's median. */
export function cellPlane(
  matrix: Matrix,
  metric: MatrixMetric,
  groups: readonly RowGroup[],
  mode: "absolute" | "divergence",
): Uint8Array {
  if (mode === "absolute") return matrix.cells;
  const { columns } = matrix.header;
  const plane = new Uint8Array(matrix.cells.length).fill(MISSING_BYTE);
  const reach = divergenceReach(metric.scale, metric.divergenceReach);
  for (const group of groups) {
    const counting = group.rows.filter(({ row }) => row.state !== "draining").map(({ index }) => index);
    const medians = columnMedians(matrix.cells, columns, counting);
    const all = group.rows.map(({ index }) => index);
    writeDivergence(plane, matrix.cells, columns, all, medians, reach);
  }
  return plane;
}

/** The bytes of each group that are in view, pooled where rows are thinner than a pixel. */
export function windowPlanes(
  matrix: Matrix,
  plane: Uint8Array,
  groups: readonly GroupWindow[],
  mode: "absolute" | "divergence",
): WindowPlane[] {
  const { columns } = matrix.header;
  return groups.map(({ group, maxLines, firstRow, lastRow }) => {
    const isPooled = group.rows.length > maxLines;
    const first = isPooled ? 0 : firstRow;
    const seen = isPooled ? group.rows : group.rows.slice(first, lastRow);
    const order = seen.map(({ index }) => index);
    return {
      key: group.key,
      firstRow: first,
      order,
      isPooled,
      shown: displayPlane(plane, columns, order, maxLines, mode),
    };
  });
}

/** Colours what is in view. This, and drawing it, is the whole repaint when theme or ramp change. */
export function renderGroups(
  matrix: Matrix,
  metric: MatrixMetric,
  windows: readonly WindowPlane[],
  lut: ColourLut,
  tickColour: number,
): GroupImage[] {
  const guardByte = metric.guard === null ? null : encodeCell(metric.scale, metric.guard);
  return windows.map(({ key, firstRow, order, isPooled, shown }) => ({
    key,
    firstRow,
    rows: order.length,
    isPooled,
    cells: toCanvas(shown, lut),
    ticks: guardByte === null || isPooled ? null : renderTicks(matrix, order, guardByte, tickColour),
  }));
}

/** Part of a group's plane, in display order. */
export interface WindowPlane {
  readonly key: string;
  readonly firstRow: number;
  /** Indices into the matrix's rows. */
  readonly order: readonly number[];
  readonly isPooled: boolean;
  readonly shown: DisplayPlane;
}

/** A group and which of its rows are in view. */
export interface GroupWindow {
  readonly group: RowGroup;
  readonly maxLines: number;
  readonly firstRow: number;
  /** One past the last. */
  readonly lastRow: number;
}

function renderTicks(
  matrix: Matrix,
  order: readonly number[],
  guardByte: number,
  tickColour: number,
): OffscreenCanvas | null {
  const raw = displayPlane(matrix.cells, matrix.header.columns, order, order.length, "absolute");
  if (!raw.bytes.some((byte) => byte >= guardByte && byte <= MAX_BYTE)) return null;
  return toCanvas(raw, new Uint32Array(256).fill(tickColour, guardByte, MISSING_BYTE));
}
