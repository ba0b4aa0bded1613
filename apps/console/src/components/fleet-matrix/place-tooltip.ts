import { columnLeft, HEAD_HEIGHT, type MatrixGeometry } from "./matrix-geometry.ts";
import { type LaidGroup, rowTop } from "./row-layout.ts";

/** Pixels between the cell and what is said of it. */
const GAP = 14;
/** Room a group head's median and spread take at the end of the cells. */
const HEAD_WORDS = 190;
/** About how wide a letter of a group head is. */
const HEAD_LETTER = 6.8;

export interface Box {
  readonly width: number;
  readonly height: number;
}

/**
 * Top left corner of a cell's tooltip on the canvas. It stands beside the cell over other cells, never over names or
 * numbers, and below its own group's head; where it must reach over the next group's head it leaves the words there free.
 */
export function placeTooltip(
  geometry: MatrixGeometry,
  place: { readonly replica: string; readonly column: number },
  { width, height }: Box,
): { readonly x: number; readonly y: number } {
  const { left, plotWidth, layout, scrollTop } = geometry;
  const end = left + plotWidth;
  const top = rowTop(layout, place.replica) ?? 0;
  const at = layout.groups.findIndex((laid) => top >= laid.bodyY && top < laid.bodyY + laid.bodyHeight);
  const own = layout.groups[at];
  const wished = top + layout.rowHeight / 2 - height / 2;
  const y = own ? clamp(wished, own.bodyY, own.bodyY + own.bodyHeight - height) : wished;
  // Below the last rows it may reach over the time axis.
  const inView = clamp(y, scrollTop, scrollTop + geometry.height - HEAD_HEIGHT - height);

  const heads = layout.groups.filter((laid) => coversHead(laid, inView, height));
  const last = heads.length > 0 ? end - HEAD_WORDS : end;
  const first = heads.reduce((most, laid) => Math.max(most, headEnd(laid)), left);
  const right = columnLeft(geometry, place.column + 1) + GAP;
  const before = columnLeft(geometry, place.column) - GAP - width;
  const x = right + width <= last ? right : Math.min(before, last - width);
  return {
    x: Math.max(left, Math.min(Math.max(first, x), last - width)),
    y: inView - scrollTop + HEAD_HEIGHT,
  };
}

function coversHead(laid: LaidGroup, y: number, height: number): boolean {
  return y < laid.bodyY && y + height > laid.headY;
}

/** Where the words at the start of a group's head end. */
function headEnd({ group }: LaidGroup): number {
  return 16 + (group.title.length + group.subtitle.length) * HEAD_LETTER;
}

/** The lower bound wins where there is no room between the two. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
