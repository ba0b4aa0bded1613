import { columnLeft, HEAD_HEIGHT, type MatrixGeometry } from "./matrix-geometry.ts";
import type { MatrixTheme } from "./matrix-theme.ts";
import { rowTop } from "./row-layout.ts";

/** A cell by the replica's id and its column. */
export interface CellPlace {
  readonly replica: string;
  readonly column: number;
}

export interface OverlayScene {
  readonly geometry: MatrixGeometry;
  readonly theme: MatrixTheme;
  readonly hover: CellPlace | null;
  readonly focus: CellPlace | null;
  /** Replicas whose rows are framed. */
  readonly selected: readonly string[];
}

/** Crosshair, focused cell and selected rows, on their own canvas so that a hover repaints no cell. */
export function drawOverlay(context: CanvasRenderingContext2D, scene: OverlayScene): void {
  const { geometry, theme } = scene;
  context.clearRect(0, 0, geometry.width, geometry.height);
  context.save();
  context.beginPath();
  context.rect(0, HEAD_HEIGHT, geometry.width, geometry.bodyHeight);
  context.clip();
  context.translate(0, HEAD_HEIGHT - geometry.scrollTop);
  const { left, plotWidth, layout } = geometry;
  for (const replica of scene.selected) {
    const top = rowTop(layout, replica);
    if (top !== null) doubleStroke(context, left, top, plotWidth, Math.max(3, layout.rowHeight - 1), theme);
  }
  if (scene.hover) {
    const top = rowTop(layout, scene.hover.replica);
    if (top !== null) {
      const x = columnLeft(geometry, scene.hover.column);
      const width = Math.max(1, columnLeft(geometry, scene.hover.column + 1) - x);
      context.fillStyle = theme.text;
      context.globalAlpha = 0.55;
      const centre = Math.round(x + width / 2);
      context.fillRect(centre, geometry.scrollTop, 1, geometry.bodyHeight);
      context.fillRect(0, top - 1, geometry.width, 1);
      context.fillRect(0, top + layout.rowHeight - 1, geometry.width, 1);
      context.globalAlpha = 1;
      cellFrame(context, geometry, top, scene.hover.column, theme);
    }
  }
  if (scene.focus) {
    const top = rowTop(layout, scene.focus.replica);
    if (top !== null) cellFrame(context, geometry, top, scene.focus.column, theme);
  }
  context.restore();
}

function cellFrame(
  context: CanvasRenderingContext2D,
  geometry: MatrixGeometry,
  top: number,
  column: number,
  theme: MatrixTheme,
): void {
  const x = columnLeft(geometry, column);
  const width = columnLeft(geometry, column + 1) - x;
  const widened = Math.max(5, width);
  doubleStroke(
    context,
    x - (widened - width) / 2,
    top,
    widened,
    Math.max(4, geometry.layout.rowHeight - 1),
    theme,
  );
}

/** Text colour inside, background outside: visible on any cell of any ramp. */
function doubleStroke(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  theme: MatrixTheme,
): void {
  context.lineWidth = 1;
  context.strokeStyle = theme.bg;
  context.strokeRect(Math.round(x) - 1.5, Math.round(y) - 1.5, Math.round(width) + 3, Math.round(height) + 3);
  context.strokeStyle = theme.text;
  context.strokeRect(Math.round(x) - 0.5, Math.round(y) - 0.5, Math.round(width) + 1, Math.round(height) + 1);
}
