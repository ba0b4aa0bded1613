import fc from "fast-check";
import { expect, test } from "vitest";
import { LogHistogram } from "./log-histogram.ts";

const value = fc.double({ min: 0.02, max: 1e8, noNaN: true });

function histogramOf(values: readonly number[]): LogHistogram {
  const histogram = new LogHistogram();
  for (const each of values) histogram.add(each);
  return histogram;
}

test("a quantile is within 3.7 % of the value at its rank", () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
        const read = histogramOf(values).quantile(share) ?? Number.NaN;
        expect(Math.abs(read / exact - 1)).toBeLessThan(0.037);
      },
    ),
  );
});

test("merging the parts gives the histogram of the whole, in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.array(value)), (parts) => {
      const merged = new LogHistogram();
      for (const part of [...parts].reverse()) merged.merge(histogramOf(part));
      expect(merged.encode()).toEqual(histogramOf(parts.flat()).encode());
    }),
  );
});

test("what is encoded reads back the same", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(value, fc.constantFrom(0, 0.001))), (values) => {
      const histogram = histogramOf(values);
      const read = LogHistogram.decode(histogram.encode());
      expect(read.total).toBe(values.length);
      expect(read.encode()).toEqual(histogram.encode());
    }),
  );
});

test("zero is a value, what is no number is none, and without values there is no quantile", () => {
  expect(histogramOf([0, 0, 0]).quantile(0.5)).toBe(0);
  const none = histogramOf([Number.NaN, -1, Number.POSITIVE_INFINITY]);
  expect(none.quantile(0.5)).toBeNull();
  expect(none.encode()).toBeNull();
  expect(LogHistogram.decode(null).total).toBe(0);
});
