import { expect, test } from "vitest";
import { hitCeiling } from "./hit-ceiling.ts";

const request = (
  atMs: number,
  blockIds: number[],
  promptTokens = 100 * blockIds.length,
  adapter: string | null = null,
) => ({
  atMs,
  promptTokens,
  outputTokens: 1,
  blockIds,
  blockTokens: 100,
  sessionKey: null,
  adapter,
});

test("only leading, full blocks that came before count, and an adapter keeps its own", () => {
  expect(hitCeiling([request(0, [1, 2]), request(1, [1, 2, 3])], 0)).toBeCloseTo(200 / 500);
  expect(hitCeiling([request(0, [1, 2]), request(1, [9, 2])], 0)).toBe(0);
  expect(hitCeiling([request(0, [1, 2], 150), request(1, [1, 2], 150)], 0)).toBeCloseTo(100 / 300);
  expect(hitCeiling([request(0, [1]), request(1, [1], 100, "a")], 0)).toBe(0);
});

test("the warm-up fills the cache uncounted, and the last token is never cached", () => {
  expect(hitCeiling([request(0, [1]), request(10, [1])], 5)).toBeCloseTo(0.99);
});

test("a trace without block ids has no ceiling", () => {
  expect(hitCeiling([request(0, [], 100)], 0)).toBeNull();
});
