import { expect, test } from "vitest";
import { TestFleet, testPolicy, testRequest } from "../testing-fleet.ts";

test("the cost is pending uncached tokens times the batch, with the request in both", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "lmetric" }));
  fleet.send("a".repeat(4000), 0, {}, "r0");
  fleet.send("b".repeat(8000), 0, { id: "decoding" }, "r1");
  fleet.state.firstToken("decoding", 500);
  const decision = fleet.decide(testRequest("q", "c".repeat(2000)), 1000);
  const costs = new Map(decision.candidates.map((each) => [each.replica, each.cost]));
  expect(costs.get("r0")).toBe((1000 + 500) * 2);
  expect(costs.get("r1")).toBe((0 + 500) * 2);
  expect(decision).toMatchObject({ chosen: "r1" });
});

test("cached tokens do not count as pending", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "lmetric" }));
  const prompt = "shared ".repeat(2000);
  fleet.send(prompt, 0, { id: "a" }, "r0");
  fleet.state.ended("a", "completed", 900);
  expect(fleet.decide(testRequest("q", prompt), 1000)).toMatchObject({ chosen: "r0" });
});
