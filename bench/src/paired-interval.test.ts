import { expect, test } from "vitest";
import { meanInterval, pairedRatio } from "./paired-interval.ts";

test("the interval of a mean is Student's", () => {
  // t(0.975, 4) = 2.776; s = sqrt(2.5); s / sqrt(5) = 0.7071.
  const interval = meanInterval([1, 2, 3, 4, 5]);
  expect(interval?.mean).toBe(3);
  expect(interval?.low).toBeCloseTo(3 - 2.776 * Math.SQRT1_2, 9);
  expect(interval?.high).toBeCloseTo(3 + 2.776 * Math.SQRT1_2, 9);
});

test("one value has no interval, no value has no mean", () => {
  expect(meanInterval([7])).toEqual({ mean: 7, low: null, high: null });
  expect(meanInterval([])).toBeNull();
});

test("what the seeds share cancels in a paired ratio", () => {
  const theirs = [1, 5, 20, 3];
  const ratio = pairedRatio(
    theirs.map((value) => 1.2 * value),
    theirs,
  );
  expect(ratio?.mean).toBeCloseTo(1.2, 9);
  expect(ratio?.low).toBeCloseTo(1.2, 9);
  expect(ratio?.high).toBeCloseTo(1.2, 9);
});

test("pairs without a positive value are left out", () => {
  expect(pairedRatio([2, 0, 4], [1, 3, 0])).toEqual({ mean: 2, low: null, high: null });
  expect(pairedRatio([0], [1])).toBeNull();
});
