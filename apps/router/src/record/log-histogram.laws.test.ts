import fc from "fast-check";
import { expect, test } from "vitest";
import { LogHistogram } from "./log-histogram.ts";

test("a quantile is within 2.5 % of the value at its rank", () => {
  const value = fc.double({ min: 0.1, max: 5e6, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (values, share) => {
        const histogram = new LogHistogram();
        for (const each of values) histogram.add(each);
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
        const read = histogram.quantile(share) ?? Number.NaN;
        expect(Math.abs(read / exact - 1)).toBeLessThan(0.025);
      },
    ),
  );
});

test("without values there is no quantile, and a value that is no number is none", () => {
  const histogram = new LogHistogram();
  histogram.add(Number.NaN);
  histogram.add(Number.POSITIVE_INFINITY);
  expect(histogram.quantile(0.5)).toBeNull();
  histogram.add(5);
  histogram.clear();
  expect(histogram.quantile(0.5)).toBeNull();
});
