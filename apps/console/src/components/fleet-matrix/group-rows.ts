import type { MatrixMetric } from "./matrix-metrics.ts";
import { decodeCell, MISSING_BYTE } from "./matrix-scale.ts";
import type { Matrix, MatrixRow } from "./matrix-wire.ts";
import { median, robustScale } from "./robust-stats.ts";

/** What rows can be grouped by. A segment is the only group whose replicas ought to look alike. */
export const GROUPINGS = ["segment", "model", "pool", "zone", "engine", "role"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const SORTS = ["divergence", "now", "max", "name", "inflight"] as const;
export type Sort = (typeof SORTS)[number];

/** From here a robust z counts as an outlier (Iglewicz and Hoaglin 1993). */
export const OUTLIER_Z = 3.5;

/** Whether a row lies so far from its peers that it is named an outlier. */
export function isOutlier(ranked: RankedRow): boolean {
  return ranked.z !== null && Math.abs(ranked.z) >= OUTLIER_Z;
}

/** Whether hottest and coolest of the group lie farther apart than the metric allows. */
export function isSpreadWide(group: RowGroup, metric: MatrixMetric): boolean {
  return metric.spreadLimit !== null && group.spread !== null && group.spread.gap >= metric.spreadLimit;
}

/** One row with what its group says about it. */
export interface RankedRow {
  /** Index into the matrix's rows. */
  readonly index: number;
  readonly row: MatrixRow;
  /** Distance to the group's median now, in the metric's unit. */
  readonly delta: number | null;
  readonly z: number | null;
  /** Highest value in the range, null when it has none. */
  readonly max: number | null;
  /** Takes part in median and spread: ready, and its newest value is known. */
  readonly counts: boolean;
}

export interface RowGroup {
  readonly key: string;
  readonly title: string;
  readonly subtitle: string;
  readonly rows: readonly RankedRow[];
  readonly median: number | null;
  /** Highest minus lowest of the rows that count; null below two. */
  readonly spread: { readonly gap: number; readonly hottest: string; readonly coolest: string } | null;
}

/** Groups and orders the matrix's rows. Draining and unknown replicas are listed last and left out of the statistics. */
export function groupRows(
  matrix: Matrix,
  metric: MatrixMetric,
  grouping: Grouping,
  sort: Sort,
  descending: boolean,
): RowGroup[] {
  const buckets = new Map<string, number[]>();
  matrix.header.rows.forEach((row, index) => {
    const key = groupKey(row, grouping);
    const bucket = buckets.get(key);
    if (bucket) bucket.push(index);
    else buckets.set(key, [index]);
  });
  return [...buckets.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, indices]) => rankGroup(matrix, metric, grouping, key, indices, sort, descending));
}

function rankGroup(
  matrix: Matrix,
  metric: MatrixMetric,
  grouping: Grouping,
  key: string,
  indices: readonly number[],
  sort: Sort,
  descending: boolean,
): RowGroup {
  const rowAt = (index: number) => matrix.header.rows[index];
  const counting = indices.flatMap((index) => {
    const row = rowAt(index);
    return row && row.state === "ready" && row.now !== null ? [{ id: row.id, now: row.now }] : [];
  });
  const values = counting.map((peer) => peer.now);
  const centre = median(values);
  const scale = robustScale(values);
  const rows = indices.flatMap((index): RankedRow[] => {
    const row = rowAt(index);
    if (!row) return [];
    const counts = row.state === "ready" && row.now !== null;
    return [
      {
        index,
        row,
        delta: row.now === null || centre === null ? null : row.now - centre,
        z:
          counts && row.now !== null && centre !== null && scale !== null ? (row.now - centre) / scale : null,
        max: rowMax(matrix, metric, index),
        counts,
      },
    ];
  });
  rows.sort(byOrder(sort, descending));
  const hottest = counting.reduce<(typeof counting)[number] | null>(
    (a, b) => (a && a.now >= b.now ? a : b),
    null,
  );
  const coolest = counting.reduce<(typeof counting)[number] | null>(
    (a, b) => (a && a.now <= b.now ? a : b),
    null,
  );
  return {
    key,
    ...groupWords(rows, grouping, key),
    rows,
    median: centre,
    spread:
      hottest && coolest && counting.length > 1
        ? { gap: hottest.now - coolest.now, hottest: hottest.id, coolest: coolest.id }
        : null,
  };
}

function groupKey(row: MatrixRow, grouping: Grouping): string {
  switch (grouping) {
    case "segment":
      return row.segment;
    case "model":
      return row.model;
    case "engine":
      return row.engine;
    case "role":
      return row.role;
    case "pool":
    case "zone":
      return row.labels[grouping] ?? `no ${grouping}`;
  }
}

/** Title and what the rows have in common; a fact they do not share is left out instead of guessed. */
function groupWords(rows: readonly RankedRow[], grouping: Grouping, key: string) {
  const all = rows.map(({ row }) => row);
  const common = (pick: (row: MatrixRow) => string | undefined): string | null => {
    const first = all[0] ? pick(all[0]) : undefined;
    return first !== undefined && all.every((row) => pick(row) === first) ? first : null;
  };
  const pool = grouping === "segment" ? common((row) => row.labels["pool"]) : null;
  const model = common((row) => row.model);
  const title = grouping === "segment" ? (pool ?? model ?? key) : key;
  const engine = common((row) => row.engine);
  const version = common((row) => row.labels["version"]);
  const build = [engine, version, common((row) => row.labels["quantization"])]
    .filter((word) => word !== null)
    .join(" ");
  const draining = all.filter((row) => row.state === "draining").length;
  const absent = all.filter((row) => row.state === "unreachable" || row.state === "ejected").length;
  const parts = [
    `${all.length} ${all.length === 1 ? "replica" : "replicas"}`,
    ...(title !== model && model ? [model] : []),
    ...(build ? [build] : []),
  ];
  const states = [...(draining ? [`${draining} draining`] : []), ...(absent ? [`${absent} out`] : [])];
  return { title, subtitle: parts.join(", ") + (states.length ? `. ${states.join(", ")}` : "") };
}

function rowMax(matrix: Matrix, metric: MatrixMetric, index: number): number | null {
  const { columns } = matrix.header;
  const cells = matrix.cells.subarray(index * columns, (index + 1) * columns);
  let highest = -1;
  for (let at = 0; at < cells.length; at++) {
    const byte = cells[at] ?? MISSING_BYTE;
    if (byte > highest && byte !== MISSING_BYTE) highest = byte;
  }
  return highest < 0 ? null : decodeCell(metric.scale, highest);
}

const NAMES = new Intl.Collator("en", { numeric: true });

function byOrder(sort: Sort, descending: boolean): (a: RankedRow, b: RankedRow) => number {
  const sign = descending ? -1 : 1;
  const byName = (a: RankedRow, b: RankedRow) => NAMES.compare(a.row.id, b.row.id);
  const pick = (ranked: RankedRow): number | null => {
    if (sort === "now") return ranked.row.now;
    if (sort === "max") return ranked.max;
    if (sort === "inflight") return ranked.row.inFlight;
    return ranked.delta;
  };
  return (a, b) => {
    if (sort === "name") return sign * byName(a, b);
    if (a.counts !== b.counts) return a.counts ? -1 : 1;
    const left = pick(a);
    const right = pick(b);
    if (left === null || right === null) return left === right ? byName(a, b) : left === null ? 1 : -1;
    return left === right ? byName(a, b) : sign * (left - right);
  };
}
