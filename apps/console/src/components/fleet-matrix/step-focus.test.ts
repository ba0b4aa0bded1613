import { expect, test } from "vitest";
import { groupRows } from "./group-rows.ts";
import { matrixMetric } from "./matrix-metrics.ts";
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
