import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "aibrix-prefix" });
const SHARED = "shared context ".repeat(600);

/** r1 holds the shared prefix; each replica has the given number of requests in flight. */
function withLoads(loads: readonly number[]): TestFleet {
  const fleet = new TestFleet(loads.length, POLICY);
  fleet.send(SHARED, 0, { id: "warm" }, "r1");
  fleet.state.ended("warm", "completed", 1);
  loads.forEach((load, replica) => {
    for (let i = 0; i < load; i++) fleet.send(`${replica}/${i}`, 2, {}, `r${replica}`);
  });
  return fleet;
}

test("the longest match wins while its replica is within one deviation of the mean", () => {
  expect(withLoads([3, 4, 5]).send(`${SHARED} more`, 3)).toMatchObject({
    chosen: "r1",
    reason: "prefix_match",
  });
});

test("a match on a replica busier than that is passed over", () => {
  expect(withLoads([1, 7, 1, 1]).send(`${SHARED} more`, 3).chosen).not.toBe("r1");
});

test("a difference of more than 8 requests leaves only the least loaded replicas", () => {
  expect(withLoads([9, 9, 0]).send(`${SHARED} more`, 3)).toMatchObject({
    chosen: "r2",
    reason: "shortest_wait",
  });
});

test("without any match the fewest requests win", () => {
  expect(withLoads([2, 1, 3]).send("another prompt ".repeat(400), 3).chosen).toBe("r1");
});
