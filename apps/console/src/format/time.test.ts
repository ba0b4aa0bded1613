import { expect, test } from "vitest";
import { age, clockMs, dayClock, fullTime, ianaZone } from "./time.ts";

const AT = Date.UTC(2026, 10, 29, 3, 12, 4, 412);

test("a moment is printed in the zone that is asked for", () => {
  expect(fullTime(AT, "utc")).toBe("29 Nov 2026 03:12:04");
  expect(dayClock(AT, "America/New_York")).toBe("28 Nov 22:12");
  expect(clockMs(AT, "Asia/Kolkata")).toBe("08:42:04.412");
});

test("midnight is 00, not 24", () => {
  expect(dayClock(Date.UTC(2026, 0, 1), "utc")).toBe("1 Jan 00:00");
});

test("a zone that does not exist is UTC, not an error", () => {
  expect(ianaZone("Mars/Olympus")).toBe("UTC");
  expect(dayClock(AT, "<img>")).toBe("29 Nov 03:12");
});

test.each([
  [-300, "0 s"],
  [2_000, "2 s"],
  [89_000, "89 s"],
  [240_000, "4 min"],
  [13_800_000, "3 h 50"],
  [604_800_000, "7 d"],
])("%d ms is %s", (ms, words) => {
  expect(age(ms)).toBe(words);
});
