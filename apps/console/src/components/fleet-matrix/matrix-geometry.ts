import type { RowLayout } from "./row-layout.ts";

/** Fixed places of the matrix canvas, CSS pixels. */
export const HEAD_HEIGHT = 20;
export const AXIS_HEIGHT = 22;
/** Right edges of the gutter's columns, counted from the end of the cells. */
export const GUTTER_COLUMNS = [
  { key: "now", right: 40 },
  { key: "delta", right: 88 },
  { key: "z", right: 126 },
  { key: "inFlight", right: 172 },
] as const;
export const GUTTER_STATE_LEFT = 184;
export const RIGHT_GUTTER = 256;

/** Where things are on the canvas of one size and scroll position. */
export interface MatrixGeometry {
  readonly width: number;
  readonly height: number;
  /** Left edge of the cells. */
  readonly left: number;
  readonly plotWidth: number;
  /** Height between column heads and time axis. */
  readonly bodyHeight: number;
  readonly scrollTop: number;
  readonly columns: number;
  readonly layout: RowLayout;
}

/** Width of the name column: as wide as the longest shown name, within bounds. */
export function nameGutter(longestName: number): number {
  return Math.min(168, Math.max(84, 30 + longestName * 7.3));
}

/** Keeps both ends of a long name: replica ids often differ only in their tail. */
export function middleTruncate(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const head = Math.ceil((maxLength - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (maxLength - 1 - head))}`;
}

/** Column under a horizontal position, null outside the cells. */
export function columnAt(geometry: MatrixGeometry, x: number): number | null {
  const inside = x - geometry.left;
  if (inside < 0 || inside >= geometry.plotWidth) return null;
  return Math.min(geometry.columns - 1, Math.floor((inside / geometry.plotWidth) * geometry.columns));
}

/** Left edge of a column. */
export function columnLeft(geometry: MatrixGeometry, column: number): number {
  return geometry.left + (column / geometry.columns) * geometry.plotWidth;
}

/** Vertical place in the layout of a canvas position, null in head or axis. */
export function bodyY(geometry: MatrixGeometry, y: number): number | null {
  const inside = y - HEAD_HEIGHT;
  return inside < 0 || inside >= geometry.bodyHeight ? null : inside + geometry.scrollTop;
}
