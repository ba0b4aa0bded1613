import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

const SHARED = "shared context ".repeat(600);

/** Two replicas; r1 holds the shared prefix and has the given prefill tokens pending. */
function pendingOnSticky(tokens: number): TestFleet {
  const fleet = new TestFleet(2, testPolicy({ type: "llm-d-sticky" }));
  fleet.send(SHARED, 0, { id: "warm" }, "r1");
  fleet.state.ended("warm", "completed", 100);
  if (tokens > 0) fleet.send("z".repeat(4 * tokens), 150, {}, "r1");
  return fleet;
}

test("the sticky replica is kept while it would answer at most 18 s later than the best other", () => {
  expect(pendingOnSticky(280_000).send(`${SHARED} more`, 200)).toMatchObject({
    chosen: "r1",
    reason: "prefix_match",
  });
});

test("past that the gate opens and the fewest uncached tokens in flight win", () => {
  expect(pendingOnSticky(290_000).send(`${SHARED} more`, 200)).toMatchObject({
    chosen: "r0",
    reason: "shortest_wait",
  });
});

test("a match below 0.8 of the prompt is not sticky", () => {
  const fleet = pendingOnSticky(5000);
  expect(fleet.send(SHARED + "y".repeat(4000), 200).chosen).toBe("r0");
});

test("tokens leave the count with the first token", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "llm-d-sticky" }));
  fleet.send("a".repeat(40_000), 0, { id: "a" }, "r0");
  fleet.send("b".repeat(4000), 0, { id: "b" }, "r1");
  fleet.state.firstToken("a", 500);
  expect(fleet.send("c".repeat(4000), 501).chosen).toBe("r0");
});
