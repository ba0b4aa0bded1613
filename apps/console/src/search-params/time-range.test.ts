import { expect, test } from "vitest";
import { isFollowingNow, moment, rangeAt, timeRange } from "./time-range.ts";

test.each([
  ["now", { kind: "relative", beforeNowMs: 0 }],
  ["now-6h", { kind: "relative", beforeNowMs: 21_600_000 }],
  ["now-2w", { kind: "relative", beforeNowMs: 1_209_600_000 }],
  ["2026-11-29T03:12Z", { kind: "absolute", ms: Date.UTC(2026, 10, 29, 3, 12) }],
  ["2026-11-29T03:12:04.412+01:00", { kind: "absolute", ms: Date.UTC(2026, 10, 29, 2, 12, 4, 412) }],
])("%s is a moment", (text, expected) => {
  expect(moment(text)).toEqual(expected);
});

test.each([
  "",
  "yesterday",
  "now-",
  "now-6",
  "now+6h",
  "2026-11-29",
  "2026-11-29T03:12",
  "now-99999h",
  "<script>",
])("%j is none, least of all a time without its zone", (text) => {
  expect(moment(text)).toBeNull();
});

test("a range that is empty or runs backwards is none", () => {
  expect(timeRange("now", "now-1h")).toBeNull();
  expect(timeRange("now-1h", "now-1h")).toBeNull();
  expect(timeRange("2026-11-29T03:12Z", "2026-11-29T03:12Z")).toBeNull();
});

test("a relative range moves with time, an absolute one stays", () => {
  const relative = timeRange("now-1h", "now");
  const fixed = timeRange("2026-11-29T03:00Z", "2026-11-29T04:00Z");
  if (relative === null || fixed === null) throw new Error("both are ranges");
  expect(rangeAt(relative, 10_000_000)).toEqual({ fromMs: 6_400_000, toMs: 10_000_000 });
  expect(isFollowingNow(relative)).toBe(true);
  expect(rangeAt(fixed, 1)).toEqual(rangeAt(fixed, 2));
  expect(isFollowingNow(fixed)).toBe(false);
});
