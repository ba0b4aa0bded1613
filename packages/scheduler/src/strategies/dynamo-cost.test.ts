import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

test("the cost is pending prefill blocks plus held blocks, ours in both, cached ones credited", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "dynamo-cost" }));
  fleet.send("a".repeat(64 * 100), 0, { id: "a" }, "r0");
  fleet.state.firstToken("a", 100);
  fleet.send("b".repeat(64 * 50), 100, {}, "r1");
  const decision = fleet.send("c".repeat(64 * 10), 101);
  const terms = new Map(decision.candidates.map((each) => [each.replica, each.terms]));
  expect(terms.get("r0")?.[0]).toBe(10);
  expect(terms.get("r0")?.[1]).toBeCloseTo(110, 0);
  expect(terms.get("r1")).toEqual([60, 60]);
});

test("held blocks weigh as much as prefill blocks: a cached prefix is left for an idle replica", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "dynamo-cost" }));
  const shared = "s".repeat(64 * 100);
  fleet.send(shared, 0, { id: "a" }, "r0");
  fleet.state.firstToken("a", 100);
  fleet.send("d".repeat(64 * 20), 0, { id: "d" }, "r0");
  fleet.state.firstToken("d", 101);
  expect(fleet.send(shared, 200).chosen).toBe("r1");
});
