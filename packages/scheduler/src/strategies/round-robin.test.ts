import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

test("every replica gets its turn before any gets a second, whatever its load", () => {
  const fleet = new TestFleet(3, testPolicy({ type: "round-robin" }));
  const turns = Array.from({ length: 9 }, () => fleet.send("x".repeat(9000), 0).chosen);
  expect(new Set(turns.slice(0, 3)).size).toBe(3);
  expect(turns.slice(3, 6)).toEqual(turns.slice(0, 3));
  expect(turns.slice(6, 9)).toEqual(turns.slice(0, 3));
});

test("a replica that was away takes its turn when it is back and is not made to catch up", () => {
  const fleet = new TestFleet(3, testPolicy({ type: "round-robin" }));
  for (let i = 0; i < 3; i++) fleet.send("x", 0);
  fleet.state.setReplicaState("r1", "draining", 1);
  for (let i = 0; i < 10; i++) expect(fleet.send("x", 2).chosen).not.toBe("r1");
  fleet.state.setReplicaState("r1", "ready", 3);
  const turns = Array.from({ length: 6 }, () => fleet.send("x", 4).chosen);
  expect(turns.filter((id) => id === "r1")).toHaveLength(2);
  expect(turns[0]).toBe("r1");
});
