import { expect, test } from "vitest";
import { mergeSnapshots, type RouterSnapshot } from "./merge-snapshots.ts";

const seen = (overrides: Partial<RouterSnapshot>): RouterSnapshot => ({
  takenAtMs: 100_000,
  state: "ready",
  inFlight: 2,
  value: 0.5,
  signalAgeMs: 500,
  ...overrides,
});

test("nothing seen is nothing known", () => {
  expect(mergeSnapshots([], "engine")).toEqual({
    state: null,
    now: null,
    inFlight: null,
    signalAgeMs: null,
    lastSnapshotMs: null,
  });
});

test("a router that fell silent does not keep its requests in flight for ever", () => {
  const merged = mergeSnapshots([seen({}), seen({ takenAtMs: 40_000, inFlight: 7 })], "engine");
  expect(merged.inFlight).toBe(2);
});

test("a router without signals does not erase what another knows", () => {
  const merged = mergeSnapshots(
    [seen({ value: 0.7 }), seen({ takenAtMs: 101_000, value: null, signalAgeMs: null })],
    "engine",
  );
  expect(merged).toMatchObject({ now: 0.7, signalAgeMs: 500 });
});

test("parts add up, percentiles take the worst, and an unknown part is not zero", () => {
  const both = [seen({ value: 3 }), seen({ value: 4 })];
  expect(mergeSnapshots(both, "sum").now).toBe(7);
  expect(mergeSnapshots(both, "worst").now).toBe(4);
  expect(mergeSnapshots([seen({ value: null })], "sum").now).toBeNull();
});
