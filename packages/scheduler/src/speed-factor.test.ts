import { expect, test } from "vitest";
import { ALONE_MEMORY, SpeedFactor } from "./speed-factor.ts";

test("without evidence the prior is believed, with much of it the ratio of the sums", () => {
  const factor = new SpeedFactor(ALONE_MEMORY);
  expect(factor.value(0, 1.4)).toBe(1.4);
  for (let i = 0; i < 50; i++) factor.observe(300, 200, 1000 * i);
  expect(factor.value(49_000, 1)).toBeGreaterThan(1.44);
  expect(factor.hasEvidence).toBe(true);
});

test("samples whose work and time are paired wrongly do no harm as long as their sums are right", () => {
  const factor = new SpeedFactor(ALONE_MEMORY);
  for (let i = 0; i < 400; i++) factor.observe(i % 2 === 0 ? 0 : 80, 20, 20 * i);
  expect(factor.value(8000, 1)).toBeGreaterThan(1.85);
  expect(factor.value(8000, 1)).toBeLessThan(2.15);
});

test("evidence fades towards the prior in silence", () => {
  const factor = new SpeedFactor(ALONE_MEMORY);
  for (let i = 0; i < 50; i++) factor.observe(600, 200, 1000 * i);
  expect(factor.value(49_000, 1)).toBeGreaterThan(2.7);
  expect(factor.value(49_000 + 600_000, 1)).toBeLessThan(1.1);
});

test("a jump to twice the time is mostly learned within two half-lives of work", () => {
  const factor = new SpeedFactor(ALONE_MEMORY);
  for (let i = 0; i < 100; i++) factor.observe(100, 100, 500 * i);
  for (let i = 100; i < 140; i++) factor.observe(200, 100, 500 * i);
  expect(factor.value(70_000, 1)).toBeGreaterThan(1.65);
});

test("impossible samples are ignored", () => {
  const factor = new SpeedFactor(ALONE_MEMORY);
  for (const [observed, predicted] of [
    [Number.NaN, 10],
    [10, Number.NaN],
    [10, 0],
    [10, -1],
    [Number.POSITIVE_INFINITY, 10],
  ] as const) {
    factor.observe(observed, predicted, 0);
  }
  expect(factor.value(0, 1)).toBe(1);
});
