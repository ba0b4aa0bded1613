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
  readonly cells: OffscreenCanvas;
  /** Ticks of cells at or above the guard, one pixel per cell; null when the metric has no guard or rows are pooled. */
  readonly ticks: OffscreenCanvas | null;
  readonly lines: number;
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

/** Renders every group. `maxLines` is how many device pixels high the group's body is. */
export function renderGroups(
  matrix: Matrix,
  plane: Uint8Array,
  metric: MatrixMetric,
  groups: readonly { readonly group: RowGroup; readonly maxLines: number }[],
  mode: "absolute" | "divergence",
  lut: ColourLut,
  tickColour: number,
): GroupImage[] {
  const { columns } = matrix.header;
  return groups.map(({ group, maxLines }) => {
    const order = group.rows.map(({ index }) => index);
    const shown = displayPlane(plane, columns, order, maxLines, mode);
    const isPooled = shown.lines < order.length;
    let ticks: OffscreenCanvas | null = null;
    if (metric.guard !== null && !isPooled) {
      const guardByte = encodeCell(metric.scale, metric.guard);
      const raw = displayPlane(matrix.cells, columns, order, maxLines, "absolute");
      if (raw.bytes.some((byte) => byte >= guardByte && byte <= MAX_BYTE)) {
        const tickLut = new Uint32Array(256).fill(tickColour, guardByte, MISSING_BYTE);
        ticks = toCanvas(raw, tickLut);
      }
    }
    return { key: group.key, cells: toCanvas(shown, lut), ticks, lines: shown.lines, isPooled };
  });
}
