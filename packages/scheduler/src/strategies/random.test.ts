import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

test("every replica gets its share, whatever its load", () => {
  const fleet = new TestFleet(4, testPolicy({ type: "random" }));
  const counts = new Map<string, number>();
  for (let i = 0; i < 400; i++) {
    const { chosen } = fleet.send("hello", i);
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
  }
  expect(counts.size).toBe(4);
  for (const count of counts.values()) expect(count).toBeGreaterThan(60);
});
