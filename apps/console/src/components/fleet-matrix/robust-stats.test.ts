import { expect, test } from "vitest";
import { median, robustZ } from "./robust-stats.ts";

test("the median of an even number of values lies between the middle two, of none there is none", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeNull();
});

test("one outlier does not move its own yardstick", () => {
  const peers = [73, 74, 75, 74, 76, 72, 94];
  expect(robustZ(94, peers)).toBeCloseTo(20 / 1.4826, 5);
  expect(robustZ(74, peers)).toBe(0);
});

test("z is not known with fewer than four peers or when most peers are equal", () => {
  expect(robustZ(90, [70, 71, 90])).toBeNull();
  expect(robustZ(90, [70, 70, 70, 70, 90])).toBeNull();
});
