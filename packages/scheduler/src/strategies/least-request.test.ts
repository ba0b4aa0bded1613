import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

test("the replica with the fewest requests in flight is chosen, whatever their size", () => {
  const fleet = new TestFleet(3, testPolicy({ type: "least-request" }));
  fleet.send("x".repeat(100_000), 0, {}, "r0");
  fleet.send("x", 0, {}, "r1");
  fleet.send("x", 0, {}, "r1");
  const decision = fleet.send("x", 0);
  expect(decision.chosen).toBe("r2");
  expect(decision.candidates.map((each) => [each.replica, each.cost])).toEqual([
    ["r2", 0],
    ["r0", 1],
    ["r1", 2],
  ]);
});
