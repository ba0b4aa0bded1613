import { appendColumns } from "../append-columns.ts";
import { drawMatrix } from "../draw-matrix.ts";
import { drawOverlay } from "../draw-overlay.ts";
import { groupRows } from "../group-rows.ts";
import { cellPlane, renderGroups, windowPlanes } from "../matrix-cells.ts";
import { AXIS_HEIGHT, HEAD_HEIGHT, type MatrixGeometry, RIGHT_GUTTER } from "../matrix-geometry.ts";
import { matrixMetric } from "../matrix-metrics.ts";
import type { MatrixTheme } from "../matrix-theme.ts";
import type { Matrix } from "../matrix-wire.ts";
import { divergingLut, sequentialLut } from "../ramp-lut.ts";
import { layoutRows, rowsBetween } from "../row-layout.ts";
import { sampleRow } from "../sample-matrix.ts";

/**
 * Measures painting 1,000 replicas × 1,440 columns in a browser. `npx vite` in this folder serves it; the result is
 * on the page and in `window.paintBench`.
 */
const ROWS = 1000;
const COLUMNS = 1440;
const RUNS = 60;
const metric = matrixMetric("kv");
const theme: MatrixTheme = {
  name: "dark",
  bg: "#0b0e14",
  text: "#e6e9ef",
  muted: "#9aa4b2",
  line: "#232a38",
  lineStrong: "#313a4b",
  control: "#6b7688",
  accent: "#6cb4f5",
  ok: "#5ac8c0",
  warn: "#f2b84b",
  crit: "#ff6b6b",
  unknown: "#9aa4b2",
  diverging: ["#56b4e9", "#2f6f96", "#1a2028", "#9a5a1e", "#ff9f45"],
  hot: "#ff9f45",
  cool: "#56b4e9",
  sans: "sans-serif",
  mono: "monospace",
};

function sample(t0Ms: number, columns: number): Matrix {
  const cells = new Uint8Array(ROWS * columns);
  for (let at = 0; at < cells.length; at++) cells[at] = (at * 7919 + (at >> 7) * 31) % 256;
  return {
    header: {
      metric: metric.id,
      t0Ms,
      stepMs: 60_000,
      columns,
      rows: Array.from({ length: ROWS }, (_, at) =>
        sampleRow(`r-${at}`, { now: ((at * 37) % 100) / 100, segment: `segment-${at % 4}` }),
      ),
      stale: [],
      restarts: [],
      routers: ["rt-1"],
      asOfMs: t0Ms + columns * 60_000,
    },
    cells,
  };
}

interface Timing {
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
}

function canvas(id: string): CanvasRenderingContext2D {
  const element = document.getElementById(id);
  if (!(element instanceof HTMLCanvasElement)) throw new Error(`no canvas ${id}`);
  element.width = 1440;
  element.height = 800;
  const context = element.getContext("2d");
  if (!context) throw new Error("no 2d context");
  return context;
}

function percentiles(run: () => void): Timing {
  run();
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
  return { min: at(0), p50: at(0.5), p95: at(0.95) };
}

const base = canvas("base");
const overlay = canvas("overlay");
const matrix = sample(0, COLUMNS);
const tail = sample(COLUMNS * 60_000, 1);
const results: Record<string, Timing> = {};

for (const mode of ["absolute", "divergence"] as const) {
  const lut = mode === "absolute" ? sequentialLut("viridis", "dark") : divergingLut(theme.diverging);
  for (const fit of [true, false]) {
    const groups = groupRows(matrix, metric, "segment", "divergence", true);
    const bodyHeight = 800 - HEAD_HEIGHT - AXIS_HEIGHT;
    const layout = layoutRows(groups, fit, bodyHeight);
    const geometry: MatrixGeometry = {
      width: 1440,
      height: 800,
      left: 96,
      plotWidth: 1440 - 96 - RIGHT_GUTTER,
      bodyHeight,
      scrollTop: 0,
      columns: COLUMNS,
      layout,
    };
    const shown = layout.groups.map((laid) => {
      const rows = rowsBetween(laid, 0, bodyHeight + 512);
      return {
        group: laid.group,
        maxLines: Math.ceil(laid.bodyHeight),
        firstRow: rows.first,
        lastRow: rows.last,
      };
    });
    const plane = cellPlane(matrix, metric, groups, mode);
    const draw = (images: ReturnType<typeof renderGroups>) =>
      drawMatrix(base, { matrix, metric, images, geometry, theme, timeZone: "UTC", selected: [] });
    const name = `${mode}, ${fit ? "fit" : "rows"}`;
    const planes = windowPlanes(matrix, plane, shown, mode);
    const images = renderGroups(matrix, metric, planes, lut, 0xffffffff);
    results[`repaint, ${name}`] = percentiles(() =>
      draw(renderGroups(matrix, metric, planes, lut, 0xffffffff)),
    );
    results[`repaint in another order, ${name}`] = percentiles(() =>
      draw(renderGroups(matrix, metric, windowPlanes(matrix, plane, shown, mode), lut, 0xffffffff)),
    );
    results[`scroll, ${name}`] = percentiles(() => draw(images));
    results[`hover, ${name}`] = percentiles(() =>
      drawOverlay(overlay, {
        geometry,
        theme,
        hover: { replica: "r-500", column: 700 },
        focus: null,
        selected: ["r-17"],
      }),
    );
  }
  results[`new column and its median, ${mode}`] = percentiles(() => {
    const merged = appendColumns(matrix, tail, 60_000);
    const groups = groupRows(merged, metric, "segment", "divergence", true);
    cellPlane(merged, metric, groups, mode);
  });
}

const place = document.getElementById("result");
if (place) place.textContent = JSON.stringify(results, null, 2);
Object.assign(window, { paintBench: results });
