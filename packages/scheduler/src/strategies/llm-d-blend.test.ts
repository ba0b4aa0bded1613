import { expect, test } from "vitest";
import { TestFleet, testPolicy, testSignals } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "llm-d-blend" });
const SHARED = "shared context ".repeat(600);

test("with gauges equal the longest match wins", () => {
  const fleet = new TestFleet(3, POLICY);
  fleet.send(SHARED, 0, {}, "r1");
  for (const id of ["r0", "r1", "r2"]) fleet.state.observeSignals(id, testSignals(1));
  expect(fleet.send(`${SHARED} more`, 2)).toMatchObject({ chosen: "r1", reason: "prefix_match" });
});

test("the longest queue and a full cache outweigh a full match: 2 and 2 against 3", () => {
  const fleet = new TestFleet(2, POLICY);
  fleet.send(SHARED, 0, {}, "r1");
  fleet.state.observeSignals("r0", testSignals(1, { queueDepth: 0, kvOccupancy: 0 }));
  fleet.state.observeSignals("r1", testSignals(1, { queueDepth: 4, kvOccupancy: 0.9 }));
  const decision = fleet.send(SHARED, 2);
  expect(decision.chosen).toBe("r0");
  const byReplica = new Map(decision.candidates.map((each) => [each.replica, each.terms]));
  expect(byReplica.get("r1")?.[1]).toBe(2);
  expect(byReplica.get("r1")?.[2]).toBeCloseTo(1.8);
});

test("cold prompts go to the replica used longest ago", () => {
  const fleet = new TestFleet(3, POLICY);
  const turns = Array.from({ length: 6 }, (_, i) => fleet.send(`${i}`.repeat(4000), i).chosen);
  expect(new Set(turns.slice(0, 3)).size).toBe(3);
  expect(turns.slice(3)).toEqual(turns.slice(0, 3));
});

test("a replica without gauges is scored neutrally, not as idle", () => {
  const fleet = new TestFleet(2, POLICY);
  fleet.state.observeSignals("r0", testSignals(1, { kvOccupancy: 0.1, queueDepth: 0 }));
  expect(
    fleet
      .send("hello", 2)
      .candidates.find((each) => each.replica === "r1")
      ?.terms.slice(1, 3),
  ).toEqual([1, 1]);
});
