import { expect, test } from "vitest";
import { binsOfStep, matrixBins } from "./matrix-bins.ts";

const HOUR = 3_600_000;

test("never more columns than asked for plus the one cut by alignment, and none shorter than a snapshot", () => {
  for (const spanMs of [60_000, HOUR, 6 * HOUR, 24 * HOUR, 42 * 24 * HOUR, 400 * 24 * HOUR]) {
    for (const width of [1, 90, 600, 1440]) {
      const bins = matrixBins(1_790_000_123_456, 1_790_000_123_456 + spanMs, width, 5000);
      expect(bins.columns).toBeLessThanOrEqual(width + 1);
      expect(bins.stepMs).toBeGreaterThanOrEqual(5000);
    }
  }
});

test("columns are aligned so that a later read of the same time falls into the same cells", () => {
  const earlier = matrixBins(1_000_000, 1_000_000 + HOUR, 720, 5000);
  const later = binsOfStep(earlier.t0Ms + HOUR, earlier.t0Ms + HOUR + 60_000, earlier.stepMs);
  expect((later.t0Ms - earlier.t0Ms) % earlier.stepMs).toBe(0);
  expect(earlier.t0Ms % earlier.stepMs).toBe(0);
});

test("the range is covered to its end", () => {
  const bins = matrixBins(7_000, 7_000 + HOUR, 100, 5000);
  expect(bins.t0Ms).toBeLessThanOrEqual(7_000);
  expect(bins.t0Ms + bins.columns * bins.stepMs).toBeGreaterThanOrEqual(7_000 + HOUR);
});
