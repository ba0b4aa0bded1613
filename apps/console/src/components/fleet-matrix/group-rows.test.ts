import { expect, test } from "vitest";
import { groupRows } from "./group-rows.ts";
import { matrixMetric } from "./matrix-metrics.ts";
import { matrixSummary, spanWords } from "./matrix-summary.ts";
import { sampleMatrix, sampleRow } from "./sample-matrix.ts";

const metric = matrixMetric("kv");
const fleet = sampleMatrix(metric.scale, [
  { ...sampleRow("r-02"), values: [0.7, 0.75] },
  { ...sampleRow("r-10"), values: [0.95, 0.74] },
  { ...sampleRow("r-17"), values: [0.8, 0.94] },
  { ...sampleRow("r-04"), values: [0.7, 0.61] },
  { ...sampleRow("r-05"), values: [0.7, 0.73] },
  { ...sampleRow("r-29", { state: "draining" }), values: [0.5, 0.02] },
  { ...sampleRow("r-40", { segment: "other", labels: { version: "0.28.0" } }), values: [0.7, 0.71] },
]);
const ids = (sort: Parameters<typeof groupRows>[3], descending: boolean, group = 0) =>
  groupRows(fleet, metric, "segment", sort, descending)[group]?.rows.map(({ row }) => row.id);

test("replicas are compared within their segment, and a draining one counts neither for median nor for spread", () => {
  const [group] = groupRows(fleet, metric, "segment", "divergence", true);
  expect(group?.median).toBeCloseTo(0.74);
  expect(group?.spread).toMatchObject({ hottest: "r-17", coolest: "r-04" });
  expect(group?.spread?.gap).toBeCloseTo(0.33);
  expect(group?.rows.find(({ row }) => row.id === "r-17")?.delta).toBeCloseTo(0.2);
  expect(group?.rows.find(({ row }) => row.id === "r-29")?.z).toBeNull();
});

test("every order works both ways, with draining replicas always last", () => {
  expect(ids("divergence", true)).toEqual(["r-17", "r-02", "r-10", "r-05", "r-04", "r-29"]);
  expect(ids("divergence", false)).toEqual(["r-04", "r-05", "r-10", "r-02", "r-17", "r-29"]);
  expect(ids("max", true)?.[0]).toBe("r-10");
  expect(ids("now", true)?.[0]).toBe("r-17");
});

test("names sort by number, not by letter", () => {
  expect(ids("name", false)).toEqual(["r-02", "r-04", "r-05", "r-10", "r-17", "r-29"]);
});

test("a group is titled by what its replicas share and says what it leaves out", () => {
  const [group] = groupRows(fleet, metric, "model", "name", false);
  expect(group?.title).toBe("llama-3.3-70b");
  expect(group?.subtitle).toBe("7 replicas, vllm. 1 draining");
});

test("the summary counts the guard and names the widest gap", () => {
  const groups = groupRows(fleet, metric, "segment", "divergence", true);
  expect(matrixSummary(groups, metric, 3_600_000)).toBe(
    "7 replicas, 1 h. 1 above the 92 % guard now. Widest gap 33 points, r-17 to r-04.",
  );
});

test("a replica without a value is said, not counted as zero", () => {
  const sparse = sampleMatrix(metric.scale, [
    { ...sampleRow("a"), values: [0.5] },
    { ...sampleRow("b"), values: [null] },
  ]);
  const groups = groupRows(sparse, metric, "segment", "divergence", true);
  expect(groups[0]?.spread).toBeNull();
  expect(matrixSummary(groups, metric, 90 * 60_000)).toBe(
    "2 replicas, 90 min. None above the 92 % guard now. 1 without a value now.",
  );
});

test("spans use the largest unit that divides them", () => {
  expect([3_600_000, 42 * 86_400_000, 5_400_000, 30_000].map(spanWords)).toEqual([
    "1 h",
    "6 w",
    "90 min",
    "30 s",
  ]);
});
