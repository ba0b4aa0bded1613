import { expect, test } from "vitest";
import { OutputLengths } from "./output-lengths.ts";

test("before any answer lengths follow the prior: certain to have one token, fewer and fewer to have more", () => {
  const lengths = new OutputLengths();
  expect(lengths.survival(1)).toBe(1);
  expect(lengths.survival(201)).toBeCloseTo((1 - 1 / 200) ** 200, 2);
  let last = 1;
  for (let tokens = 1; tokens < 5000; tokens += 7) {
    expect(lengths.survival(tokens)).toBeLessThanOrEqual(last);
    last = lengths.survival(tokens);
  }
});

test("after many answers of 65 tokens nearly all are known to reach 60 and few to pass 80", () => {
  const lengths = new OutputLengths();
  for (let i = 0; i < 2000; i++) lengths.observe(65);
  expect(lengths.survival(57)).toBeGreaterThan(0.98);
  expect(lengths.survival(81)).toBeLessThan(0.02);
  expect(lengths.meanTokens).toBeCloseTo(65, 0);
});

test("a change of traffic replaces the old lengths", () => {
  const lengths = new OutputLengths();
  for (let i = 0; i < 2000; i++) lengths.observe(1000);
  for (let i = 0; i < 2000; i++) lengths.observe(10);
  expect(lengths.survival(100)).toBeLessThan(0.05);
});

test("lengths beyond the table and impossible ones keep every answer a probability", () => {
  const lengths = new OutputLengths();
  for (const tokens of [Number.NaN, -1, 0, 1e9, 5000, Number.POSITIVE_INFINITY]) lengths.observe(tokens);
  for (const tokens of [-5, 0, 1, 4096, 4097, 1e9, Number.POSITIVE_INFINITY]) {
    const survival = lengths.survival(tokens);
    expect(survival >= 0 && survival <= 1).toBe(true);
  }
  expect(Number.isFinite(lengths.meanTokens)).toBe(true);
});
