import { expect, test } from "vitest";
import { timeTicks, zoneOffsetMs } from "./time-ticks.ts";

const midnight = Date.UTC(2026, 10, 29);

test("ticks are round times of the zone", () => {
  const utc = timeTicks(midnight, midnight + 3_600_000, 6, "UTC");
  expect(utc.map((tick) => tick.label)).toEqual([
    "00:00",
    "00:10",
    "00:20",
    "00:30",
    "00:40",
    "00:50",
    "01:00",
  ]);
  const india = timeTicks(midnight, midnight + 86_400_000, 8, "Asia/Kolkata");
  expect(india.every((tick) => tick.label.endsWith(":00"))).toBe(true);
});

test("long ranges are labelled by day", () => {
  const ticks = timeTicks(midnight - 42 * 86_400_000, midnight, 8, "UTC");
  expect(ticks.length).toBeLessThanOrEqual(8);
  expect(ticks[0]?.label).toMatch(/^\d+ (Oct|Nov)$/);
});

test("an offset is that of the moment, daylight saving included", () => {
  expect(zoneOffsetMs(Date.UTC(2026, 6, 1), "Europe/Berlin")).toBe(7_200_000);
  expect(zoneOffsetMs(midnight, "Europe/Berlin")).toBe(3_600_000);
});
