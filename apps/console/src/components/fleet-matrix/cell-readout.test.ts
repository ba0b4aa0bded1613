import { expect, test } from "vitest";
import { readCell } from "./cell-readout.ts";
import { groupRows } from "./group-rows.ts";
import { matrixMetric } from "./matrix-metrics.ts";
import { sampleMatrix, sampleRow } from "./sample-matrix.ts";

const metric = matrixMetric("kv");
const base = sampleMatrix(metric.scale, [
  { ...sampleRow("a"), values: [0.9, 0.2] },
  { ...sampleRow("b"), values: [0.7, 0.4] },
  { ...sampleRow("c"), values: [null, 0.3] },
]);
const matrix = {
  ...base,
  header: {
    ...base.header,
    stale: [[0, 1, 1] as [number, number, number]],
    restarts: [[2, 1] as [number, number]],
  },
};
const [group] = groupRows(matrix, metric, "segment", "name", false);
if (!group) throw new Error("one group expected");

test("a cell is read against its group in the same column", () => {
  const cell = readCell(matrix, metric, group, 0, 0);
  expect(cell.value).toBeCloseTo(0.9, 2);
  expect(cell.groupMedian).toBeCloseTo(0.8, 2);
  expect(cell).toMatchObject({ rank: 1, ranked: 2, isStale: false });
});

test("a gap has no rank, and marks are named", () => {
  expect(readCell(matrix, metric, group, 2, 0)).toMatchObject({ value: null, rank: null });
  expect(readCell(matrix, metric, group, 0, 1).isStale).toBe(true);
  expect(readCell(matrix, metric, group, 2, 1).isRestart).toBe(true);
});
