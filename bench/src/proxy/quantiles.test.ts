import { expect, test } from "vitest";
import { median, quantiles } from "./quantiles.ts";

test("quantiles are values that were measured: the smallest that so many do not exceed", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 });
  expect(quantiles([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
});

test("nothing measured is not zero", () => {
  expect(quantiles([]).p50).toBeNaN();
  expect(median([])).toBeNaN();
});

test("the median of an even number of rounds is the mean of the middle two", () => {
  expect(median([4, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 10])).toBe(3.5);
});
