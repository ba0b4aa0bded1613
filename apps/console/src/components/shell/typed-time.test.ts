import fc from "fast-check";
import { expect, test } from "vitest";
import { readTyped, writeTyped } from "./typed-time.ts";

const ZONES = ["utc", "Europe/Vienna", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];

test("what is written reads back as the same minute, in every zone", () => {
  const minute = fc.integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2035, 0, 1) / 60_000 });
  fc.assert(
    fc.property(minute, fc.constantFrom(...ZONES), (minutes, zone) => {
      const written = writeTyped(minutes * 60_000, zone);
      const read = readTyped(written, zone);
      // In the hour that a clock change repeats, one text stands for two moments.
      expect(read === null ? null : writeTyped(read, zone)).toBe(written);
    }),
  );
});

test("a zone with summer time is reckoned with its offset of that day", () => {
  expect(readTyped("2026-07-01 12:00", "Europe/Vienna")).toBe(Date.UTC(2026, 6, 1, 10));
  expect(readTyped("2026-12-01 12:00", "Europe/Vienna")).toBe(Date.UTC(2026, 11, 1, 11));
  expect(writeTyped(Date.UTC(2026, 6, 1, 10), "Europe/Vienna")).toBe("2026-07-01 12:00");
});

test.each([
  "",
  "12:00",
  "2026-13-01 12:00",
  "2026-02-30 12:00",
  "2026-01-01 24:00",
  "2026-01-01 12:60",
  "now",
])("%j is no time", (text) => {
  expect(readTyped(text, "utc")).toBeNull();
});
