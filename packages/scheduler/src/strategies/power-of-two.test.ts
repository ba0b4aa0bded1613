import { expect, test } from "vitest";
import { TestFleet, testPolicy, testRequest, testSignals } from "../testing-fleet.ts";

function chosenOver(fleet: TestFleet, seeds: number): Set<string> {
  const chosen = new Set<string>();
  for (let seed = 0; seed < seeds; seed++) {
    const decision = fleet.decide(testRequest("q", "hello"), 10, seed);
    if (decision.kind === "routed") chosen.add(decision.chosen);
  }
  return chosen;
}

test("the busiest replica is never chosen, and every other one sometimes", () => {
  const fleet = new TestFleet(4, testPolicy({ type: "power-of-two" }));
  for (let i = 0; i < 5; i++) fleet.send("hello", 0, {}, "r2");
  expect(chosenOver(fleet, 80)).toEqual(new Set(["r0", "r1", "r3"]));
});

test("KV occupancy decides between two that report it", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "power-of-two" }));
  for (let i = 0; i < 5; i++) fleet.send("hello", 0, {}, "r0");
  fleet.state.observeSignals("r0", testSignals(5, { kvOccupancy: 0.2, running: 5 }));
  fleet.state.observeSignals("r1", testSignals(5, { kvOccupancy: 0.9 }));
  expect(chosenOver(fleet, 20)).toEqual(new Set(["r0"]));
});
