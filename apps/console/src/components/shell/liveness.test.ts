import { expect, test } from "vitest";
import type { LiveState } from "#live/live-store.ts";
import { livenessOf } from "./liveness.ts";

const NOW = 1_000_000;
const fine: LiveState = { connection: "stream", isPaused: false, clockOffsetMs: 0, storeAwaySinceMs: null };

function kind(part: Partial<LiveState>, newestDataAtMs: number | null = NOW - 2_000, hasStore = true) {
  return livenessOf({ state: { ...fine, ...part }, newestDataAtMs, hasStore, nowMs: NOW });
}

test.each([
  ["fresh data by stream", kind({}), "live"],
  ["fresh data by polling", kind({ connection: "polling" }), "polling"],
  ["data of 48 seconds ago", kind({}, NOW - 48_000), "stale"],
  ["old data while polling", kind({ connection: "polling" }, NOW - 48_000), "stale"],
  ["a pause", kind({ isPaused: true }), "paused"],
  [
    "a database that is away, even while paused",
    kind({ isPaused: true, storeAwaySinceMs: NOW - 5_000 }),
    "store_away",
  ],
  ["neither stream nor polling", kind({ connection: "lost" }), "lost"],
  ["a fleet that never reported", kind({}, null), "no_data"],
  ["nothing heard yet", kind({ connection: "connecting" }, null, false), "connecting"],
])("%s is said as it is", (_, liveness, expected) => {
  expect(liveness.kind).toBe(expected);
});

test("the age is that of the data, or of the trouble, and never negative", () => {
  expect(kind({}, NOW - 48_000).ageMs).toBe(48_000);
  expect(kind({ storeAwaySinceMs: NOW - 5_000 }).ageMs).toBe(5_000);
  expect(kind({}, NOW + 300).ageMs).toBe(0);
});
