import { expect, test } from "vitest";
import { findKnee, gridIndex, gridLoad } from "./knee.ts";

/** A system that serves everything up to `capacity` and loses what is above. */
function until(capacity: number): (load: number) => number {
  return (load) => (load <= capacity ? 1 : capacity / load);
}

for (const start of [-20, -3, 0, 7, 40]) {
  test(`the knee is the last passing load below a failing one, wherever the search starts (${start})`, () => {
    const { load } = findKnee(until(10), { base: 8, startIndex: start, least: 0.99 });
    expect(load ?? 0).toBeLessThanOrEqual(10.11);
    expect((load ?? 0) * 1.04).toBeGreaterThan(10.1);
    expect(load).toBeCloseTo(gridLoad(8, gridIndex(8, load ?? 0)), 9);
  });
}

test("a run that was cut short counts as failed and leaves no probe", () => {
  const { load, probes } = findKnee((tried) => (tried > 9 ? null : 1), {
    base: 8,
    startIndex: 2,
    least: 0.99,
  });
  expect(load ?? 0).toBeLessThanOrEqual(9);
  expect(probes.every(({ goodput }) => goodput === 1)).toBe(true);
});

test("no load is asked for twice, and a system that never passes has no knee", () => {
  const tried: number[] = [];
  const { load, runs } = findKnee(
    (each) => {
      tried.push(each);
      return 0.5;
    },
    { base: 8, startIndex: 0, least: 0.99 },
  );
  expect(load).toBeNull();
  expect(new Set(tried).size).toBe(tried.length);
  expect(runs).toBe(tried.length);
  expect(Math.min(...tried)).toBeGreaterThan(0.1);
});
