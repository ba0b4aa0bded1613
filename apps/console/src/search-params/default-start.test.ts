import { expect, test } from "vitest";
import { youngStart } from "./default-start.ts";

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

test("the default range starts at the minute of the first data while they are younger than it", () => {
  expect(youngStart(NOW - 20 * MINUTE + 7_300, NOW)).toEqual({
    kind: "absolute",
    ms: NOW - 20 * MINUTE,
  });
});

test("it is never shorter than ten minutes", () => {
  expect(youngStart(NOW - MINUTE, NOW)).toEqual({ kind: "relative", beforeNowMs: 10 * MINUTE });
});

test("the hour holds when data reach back as far, or when there are none", () => {
  expect(youngStart(NOW - 60 * MINUTE, NOW)).toBeNull();
  expect(youngStart(null, NOW)).toBeNull();
});
