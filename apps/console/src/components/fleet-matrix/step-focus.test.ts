import { expect, test } from "vitest";
import { groupRows } from "./group-rows.ts";
import { matrixMetric } from "./matrix-metrics.ts";
import { layoutRows, ROW_HEIGHT, rowAt, rowTop } from "./row-layout.ts";
import { sampleMatrix, sampleRow } from "./sample-matrix.ts";
import { stepFocus } from "./step-focus.ts";

const metric = matrixMetric("kv");
const matrix = sampleMatrix(metric.scale, [
  { ...sampleRow("a"), values: [0.1, 0.2, 0.3] },
  { ...sampleRow("b"), values: [0.1, 0.2, 0.3] },
  { ...sampleRow("c", { segment: "z" }), values: [0.1, 0.2, 0.3] },
]);
const groups = groupRows(matrix, metric, "segment", "name", false);

test("the first arrow enters at the first row's newest cell", () => {
  expect(stepFocus(groups, 3, null, "ArrowDown")).toEqual({ replica: "a", column: 2 });
});

test("arrows cross from one group into the next and stop at the edges", () => {
  expect(stepFocus(groups, 3, { replica: "b", column: 1 }, "ArrowDown")).toEqual({ replica: "c", column: 1 });
  expect(stepFocus(groups, 3, { replica: "c", column: 1 }, "PageDown")).toEqual({ replica: "c", column: 1 });
  expect(stepFocus(groups, 3, { replica: "a", column: 0 }, "ArrowLeft")).toEqual({ replica: "a", column: 0 });
  expect(stepFocus(groups, 3, { replica: "a", column: 0 }, "End")).toEqual({ replica: "a", column: 2 });
});

test("other keys move nothing", () => {
  expect(stepFocus(groups, 3, null, "x")).toBeNull();
});

test("a position finds its row, and a row its position", () => {
  const layout = layoutRows(groups, false, 1000);
  const top = rowTop(layout, "b");
  expect(top).not.toBeNull();
  expect(rowAt(layout, (top ?? 0) + 1)?.ranked.row.id).toBe("b");
  expect(rowAt(layout, 3)).toBeNull();
  expect(rowTop(layout, "nobody")).toBeNull();
});

test("fit squeezes a large fleet into the height and never stretches a small one", () => {
  expect(layoutRows(groups, true, 1000).rowHeight).toBe(ROW_HEIGHT);
  const squeezed = layoutRows(groups, true, 60);
  expect(squeezed.rowHeight).toBeLessThan(ROW_HEIGHT);
  expect(squeezed.height).toBeLessThanOrEqual(60);
});
