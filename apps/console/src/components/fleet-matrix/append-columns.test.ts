import { expect, test } from "vitest";
import { appendColumns } from "./append-columns.ts";
import { matrixMetric } from "./matrix-metrics.ts";
import { MISSING_BYTE } from "./matrix-scale.ts";
import { sampleMatrix, sampleRow } from "./sample-matrix.ts";

const { scale } = matrixMetric("kv");
const STEP = 60_000;
const older = sampleMatrix(scale, [
  { ...sampleRow("a"), values: [0.1, 0.2, 0.3, 0.4] },
  { ...sampleRow("b"), values: [0.5, 0.6, 0.7, 0.8] },
]);
const values = (matrix: typeof older, row: number) =>
  [...matrix.cells.subarray(row * matrix.header.columns, (row + 1) * matrix.header.columns)].map((byte) =>
    byte === MISSING_BYTE ? null : Math.round((byte / 254) * 10) / 10,
  );

test("new columns are appended, the open one is replaced, and the window moves on", () => {
  const newer = sampleMatrix(
    scale,
    [
      { ...sampleRow("a"), values: [0.9, 1] },
      { ...sampleRow("b"), values: [0.8, 0] },
    ],
    { t0Ms: 3 * STEP },
  );
  const merged = appendColumns(older, newer, STEP);
  expect(merged.header.t0Ms).toBe(STEP);
  expect(values(merged, 0)).toEqual([0.2, 0.3, 0.9, 1]);
  expect(values(merged, 1)).toEqual([0.6, 0.7, 0.8, 0]);
});

test("rows follow the newer read: a new replica has gaps before it came, a removed one goes", () => {
  const newer = sampleMatrix(
    scale,
    [
      { ...sampleRow("b"), values: [0.9] },
      { ...sampleRow("c"), values: [0.3] },
    ],
    { t0Ms: 4 * STEP },
  );
  const merged = appendColumns(older, newer, 0);
  expect(merged.header.rows.map((row) => row.id)).toEqual(["b", "c"]);
  expect(values(merged, 0)).toEqual([0.5, 0.6, 0.7, 0.8, 0.9]);
  expect(values(merged, 1)).toEqual([null, null, null, null, 0.3]);
});

test("time nobody read stays a gap", () => {
  const newer = sampleMatrix(scale, [{ ...sampleRow("a"), values: [0.9] }], { t0Ms: 6 * STEP });
  expect(values(appendColumns(older, newer, 0), 0)).toEqual([0.1, 0.2, 0.3, 0.4, null, null, 0.9]);
});

test("marks move with their cells and those of re-read columns come from the newer read", () => {
  const withMarks = {
    ...older,
    header: {
      ...older.header,
      stale: [[0, 1, 3] as [number, number, number]],
      restarts: [[1, 3] as [number, number]],
    },
  };
  const newer = sampleMatrix(
    scale,
    [
      { ...sampleRow("a"), values: [0.9] },
      { ...sampleRow("b"), values: [0.9] },
    ],
    { t0Ms: 3 * STEP },
  );
  const merged = appendColumns(withMarks, newer, STEP);
  expect(merged.header.stale).toEqual([[0, 0, 2]]);
  expect(merged.header.restarts).toEqual([]);
});

test("a read of another step or metric stands alone", () => {
  const other = sampleMatrix(scale, [{ ...sampleRow("a"), values: [0.9] }], { stepMs: 5000, t0Ms: 4 * STEP });
  expect(appendColumns(older, other, 0)).toBe(other);
});

test("a replica that stays stale is one run however often columns are appended", () => {
  const stale = (t0Ms: number, columns: number) => {
    const read = sampleMatrix(scale, [{ ...sampleRow("a"), values: new Array(columns).fill(0.5) }], { t0Ms });
    return { ...read, header: { ...read.header, stale: [[0, 0, columns] as [number, number, number]] } };
  };
  let merged = stale(0, 3);
  for (let at = 2; at < 6; at++)
    merged = { ...appendColumns(merged, stale(at * STEP, 2), 0) } as typeof merged; // same shape
  expect(merged.header.stale).toEqual([[0, 0, 7]]);
});
