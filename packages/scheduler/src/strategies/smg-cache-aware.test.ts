import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "smg-cache-aware" });
const SHARED = "shared context ".repeat(600);

test("a match over 0.3 of the prompt wins, however busy its replica is short of imbalance", () => {
  const fleet = new TestFleet(3, POLICY);
  fleet.send(SHARED, 0, {}, "r1");
  for (let i = 0; i < 40; i++) fleet.send(`${i}`, 0, {}, "r1");
  expect(fleet.send(`${SHARED} and more`, 1)).toMatchObject({ chosen: "r1", reason: "prefix_match" });
});

test("a match of a smaller share is a miss: the smallest tree wins", () => {
  const fleet = new TestFleet(3, POLICY);
  fleet.send(SHARED, 0, {}, "r1");
  fleet.send("x".repeat(2000), 0, {}, "r0");
  expect(fleet.send(SHARED.slice(0, 2000) + "y".repeat(20_000), 1)).toMatchObject({
    chosen: "r2",
    reason: "shortest_wait",
  });
});

test("out of balance by more than 64 requests and a half, affinity is dropped for everyone", () => {
  const fleet = new TestFleet(3, POLICY);
  fleet.send(SHARED, 0, {}, "r1");
  for (let i = 0; i < 65; i++) fleet.send(`${i}`, 0, {}, "r1");
  fleet.send("x", 0, {}, "r0");
  expect(fleet.send(`${SHARED} and more`, 1).chosen).toBe("r2");
});
