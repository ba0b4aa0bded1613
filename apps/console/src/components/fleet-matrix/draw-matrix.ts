import { grouped } from "#format/number.ts";
import { isOutlier, isSpreadWide, type RankedRow } from "./group-rows.ts";
import type { GroupImage } from "./matrix-cells.ts";
import {
  columnLeft,
  GUTTER_COLUMNS,
  GUTTER_STATE_LEFT,
  HEAD_HEIGHT,
  type MatrixGeometry,
  middleTruncate,
} from "./matrix-geometry.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import type { MatrixTheme } from "./matrix-theme.ts";
import { bareValue, deltaUnit, gapWords, signedDelta, valueUnit } from "./matrix-value.ts";
import type { Matrix } from "./matrix-wire.ts";
import { type LaidGroup, rowsBetween } from "./row-layout.ts";
import { isStaleNow, stateGlyph } from "./state-glyph.ts";
import { timeTicks } from "./time-ticks.ts";

/** Rows thinner than this carry no text. */
const TEXT_ROW = 10;
/** Rows thinner than this have no gap line between them. */
const GAP_ROW = 6;

export interface MatrixScene {
  readonly matrix: Matrix;
  readonly metric: MatrixMetric;
  readonly images: readonly GroupImage[];
  readonly geometry: MatrixGeometry;
  readonly theme: MatrixTheme;
  readonly timeZone: string;
  readonly selected: readonly string[];
}

type Context = CanvasRenderingContext2D;

/** Draws the whole matrix. The context is scaled so that one unit is one CSS pixel. */
export function drawMatrix(context: Context, scene: MatrixScene): void {
  const { geometry, theme } = scene;
  // Contextual alternates widen hyphens between letters and digits, as in every replica's name.
  context.textRendering = "optimizeSpeed";
  context.fillStyle = theme.bg;
  context.fillRect(0, 0, geometry.width, geometry.height);
  drawHeads(context, scene);
  drawAxis(context, scene);
  context.save();
  context.beginPath();
  context.rect(0, HEAD_HEIGHT, geometry.width, geometry.bodyHeight);
  context.clip();
  context.translate(0, HEAD_HEIGHT - geometry.scrollTop);
  const hatch = hatchPattern(context, theme);
  for (const laid of geometry.layout.groups) {
    const bottom = laid.bodyY + laid.bodyHeight;
    if (bottom < geometry.scrollTop || laid.headY > geometry.scrollTop + geometry.bodyHeight) continue;
    drawGroup(context, scene, laid, hatch);
  }
  context.restore();
}

function text(
  context: Context,
  words: string,
  x: number,
  y: number,
  colour: string,
  align: CanvasTextAlign,
  font: string,
): void {
  context.font = font;
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = "middle";
  context.fillText(words, x, y);
}

function drawHeads(context: Context, { geometry, theme, metric }: MatrixScene): void {
  const end = geometry.left + geometry.plotWidth;
  const font = `400 11px ${theme.sans}`;
  const unit = deltaUnit(metric);
  const heads = { now: "now", delta: `Δ ${unit}`.trim(), z: "z", inFlight: "in flight" };
  text(context, "replica", 16, 9, theme.muted, "left", font);
  for (const { key, right } of GUTTER_COLUMNS)
    text(context, heads[key], end + right, 9, theme.muted, "right", font);
  text(context, "state", end + GUTTER_STATE_LEFT, 9, theme.muted, "left", font);
}

function drawAxis(context: Context, { geometry, theme, matrix, timeZone }: MatrixScene): void {
  const { t0Ms, stepMs, columns } = matrix.header;
  const top = HEAD_HEIGHT + geometry.bodyHeight;
  const spanMs = columns * stepMs;
  const font = `400 11px ${theme.sans}`;
  const ticks = timeTicks(t0Ms, t0Ms + spanMs, Math.max(2, Math.floor(geometry.plotWidth / 84)), timeZone);
  for (const tick of ticks) {
    const x = geometry.left + ((tick.atMs - t0Ms) / spanMs) * geometry.plotWidth;
    context.fillStyle = theme.control;
    context.fillRect(Math.round(x), top + 1, 1, 4);
    const half = context.measureText(tick.label).width / 2;
    const align =
      x - half < geometry.left ? "left" : x + half > geometry.left + geometry.plotWidth ? "right" : "center";
    text(context, tick.label, x, top + 14, theme.muted, align, font);
  }
  const end = geometry.left + geometry.plotWidth;
  text(context, timeZone === "UTC" ? "UTC" : timeZone, end + 8, top + 14, theme.muted, "left", font);
}

/** Diagonal lines where nothing was read; a texture, not a colour of the ramp. */
function hatchPattern(context: Context, theme: MatrixTheme): CanvasPattern | null {
  const tile = new OffscreenCanvas(6, 6);
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.strokeStyle = theme.lineStrong;
  pen.lineWidth = 1;
  for (const shift of [-6, 0, 6]) {
    pen.beginPath();
    pen.moveTo(shift - 1, 7);
    pen.lineTo(shift + 7, -1);
    pen.stroke();
  }
  return context.createPattern(tile, "repeat");
}

function drawGroup(context: Context, scene: MatrixScene, laid: LaidGroup, hatch: CanvasPattern | null): void {
  const { geometry, theme } = scene;
  const { left, plotWidth } = geometry;
  drawGroupHead(context, scene, laid);
  if (hatch) {
    context.fillStyle = hatch;
    context.fillRect(left, laid.bodyY, plotWidth, laid.bodyHeight);
  }
  const image = scene.images.find((candidate) => candidate.key === laid.group.key);
  if (!image) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(
    image.cells,
    left,
    laid.bodyY + image.firstRow * laid.rowHeight,
    plotWidth,
    image.rows * laid.rowHeight,
  );
  if (laid.rowHeight < GAP_ROW || image.isPooled) return;

  const { first, last } = rowsBetween(laid, geometry.scrollTop, geometry.scrollTop + geometry.bodyHeight);
  context.fillStyle = theme.bg;
  for (let at = first; at < last; at++) {
    // What drains differs from its peers because it is told to: it steps back, so that it does not lead the eye.
    if (laid.group.rows[at]?.row.state === "draining") {
      context.globalAlpha = 0.7;
      context.fillRect(left, laid.bodyY + at * laid.rowHeight, plotWidth, laid.rowHeight);
      context.globalAlpha = 1;
    }
    context.fillRect(left, laid.bodyY + (at + 1) * laid.rowHeight - 1, plotWidth, 1);
  }
  if (image.ticks) {
    for (let at = first; at < last; at++) {
      context.drawImage(
        image.ticks,
        0,
        at - image.firstRow,
        image.ticks.width,
        1,
        left,
        laid.bodyY + at * laid.rowHeight,
        plotWidth,
        1.5,
      );
    }
  }
  drawMarks(context, scene, laid, first, last);
  if (laid.rowHeight < TEXT_ROW) return;
  for (let at = first; at < last; at++) {
    const ranked = laid.group.rows[at];
    if (ranked)
      drawRowWords(context, scene, laid, ranked, laid.bodyY + at * laid.rowHeight + laid.rowHeight / 2 - 0.5);
  }
}

function drawGroupHead(context: Context, scene: MatrixScene, laid: LaidGroup): void {
  const { geometry, theme, metric } = scene;
  const y = laid.headY + 10;
  const { group } = laid;
  const title = middleTruncate(group.title, 40);
  text(context, title, 0, y, theme.text, "left", `600 12px ${theme.sans}`);
  const after = context.measureText(title).width + 10;
  text(context, middleTruncate(group.subtitle, 96), after, y, theme.muted, "left", `400 12px ${theme.sans}`);
  if (group.median === null) return;
  const median = `median ${bareValue(metric, group.median)} ${valueUnit(metric, group.median)}`.trimEnd();
  const spread = group.spread
    ? `, spread ${gapWords(metric, group.spread.gap).replace(/ points?$/, " pt")}`
    : "";
  const isWide = isSpreadWide(group, metric);
  const end = geometry.left + geometry.plotWidth;
  text(
    context,
    median + spread,
    end,
    y,
    isWide ? theme.crit : theme.muted,
    "right",
    `${isWide ? 600 : 400} 12px ${theme.sans}`,
  );
}

/** Stale cells get an outline, cells in which a replica came back get a notch. */
function drawMarks(context: Context, scene: MatrixScene, laid: LaidGroup, first: number, last: number): void {
  const { geometry, theme, matrix } = scene;
  const place = new Map<number, number>();
  for (let at = first; at < last; at++) {
    const ranked = laid.group.rows[at];
    if (ranked) place.set(ranked.index, laid.bodyY + at * laid.rowHeight);
  }
  context.strokeStyle = theme.warn;
  context.lineWidth = 1;
  for (const [row, column, length] of matrix.header.stale) {
    const top = place.get(row);
    if (top === undefined) continue;
    const x = columnLeft(geometry, column);
    const width = Math.max(3, columnLeft(geometry, column + length) - x);
    context.strokeRect(Math.round(x) + 0.5, top + 0.5, Math.round(width) - 1, laid.rowHeight - 2);
  }
  context.fillStyle = theme.text;
  for (const [row, column] of matrix.header.restarts) {
    const top = place.get(row);
    if (top === undefined) continue;
    const x = Math.round(columnLeft(geometry, column));
    context.beginPath();
    context.moveTo(x - 3, top + laid.rowHeight - 1);
    context.lineTo(x + 3, top + laid.rowHeight - 1);
    context.lineTo(x, top + laid.rowHeight - 6);
    context.fill();
  }
}

function drawRowWords(
  context: Context,
  scene: MatrixScene,
  laid: LaidGroup,
  ranked: RankedRow,
  y: number,
): void {
  const { geometry, theme, metric, matrix } = scene;
  const { row } = ranked;
  const isStale = isStaleNow(ranked, matrix.header.asOfMs);
  const sign = stateGlyph(ranked, metric, isStale);
  const tone = sign.tone === "muted" ? theme.muted : theme[sign.tone];
  const { spread } = laid.group;
  const isWide = isSpreadWide(laid.group, metric) || isOutlier(ranked);
  const isHot = isWide && row.id === spread?.hottest;
  const isCool = isWide && row.id === spread?.coolest;
  const colour = isHot ? theme.hot : isCool ? theme.cool : ranked.counts ? theme.text : theme.muted;
  const weight = isHot || isCool || scene.selected.includes(row.id) ? 600 : 400;
  const number = `${weight} 12px ${theme.sans}`;
  text(context, sign.glyph, 4, y, tone, "center", `400 ${sign.glyph === "●" ? 9 : 10}px ${theme.sans}`);
  const name = middleTruncate(row.id, Math.floor((geometry.left - 24) / 7));
  text(context, name, 16, y, colour, "left", `${weight === 600 ? 500 : 400} 12px ${theme.mono}`);

  const end = geometry.left + geometry.plotWidth;
  const [now, delta, z, inFlight] = GUTTER_COLUMNS;
  if (row.now === null) {
    text(context, "–", end + now.right, y, theme.muted, "right", number);
  } else {
    const shown =
      bareValue(metric, row.now) +
      (metric.unit === "ms" && row.now >= 10_000 ? "s" : "") +
      (isStale ? "*" : "");
    text(context, shown, end + now.right, y, colour, "right", number);
  }
  if (ranked.delta !== null) {
    const deltaColour = isHot || isCool ? colour : theme.muted;
    text(context, signedDelta(metric, ranked.delta), end + delta.right, y, deltaColour, "right", number);
  }
  if (ranked.z !== null) {
    const isOut = isOutlier(ranked);
    const shown = grouped(ranked.z, 1);
    text(
      context,
      shown,
      end + z.right,
      y,
      isOut ? theme.crit : theme.muted,
      "right",
      `${isOut ? 600 : 400} 12px ${theme.sans}`,
    );
  }
  const flying = row.inFlight === null ? "–" : String(Math.round(row.inFlight));
  text(context, flying, end + inFlight.right, y, theme.muted, "right", `400 12px ${theme.sans}`);
  text(
    context,
    sign.word,
    end + GUTTER_STATE_LEFT,
    y,
    sign.tone === "ok" ? theme.muted : tone,
    "left",
    `400 11px ${theme.sans}`,
  );
}
