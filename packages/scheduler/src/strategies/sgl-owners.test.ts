import { expect, test } from "vitest";
import { TestFleet, testPolicy, testRequest } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "sgl-owners" });
const SHARED = "shared context ".repeat(1000);

/** A fleet in which the given replicas have served the shared prefix. */
function withOwners(replicas: number, owners: readonly string[]): TestFleet {
  const fleet = new TestFleet(replicas, POLICY);
  owners.forEach((owner, i) => {
    fleet.send(SHARED, 0, { id: `warm${i}` }, owner);
    fleet.state.ended(`warm${i}`, "completed", 100);
  });
  return fleet;
}

test("the owner of the longest match is chosen", () => {
  const fleet = withOwners(4, ["r2"]);
  expect(fleet.send(`${SHARED} question`, 200)).toMatchObject({ chosen: "r2", reason: "prefix_match" });
});

test("among owners about as good, a pending prefill larger by 1,024 tokens and half moves the choice", () => {
  const fleet = withOwners(4, ["r0", "r1"]);
  const first = fleet.send(`${SHARED} question`, 200).chosen;
  fleet.send("z".repeat(20_000), 200, {}, first);
  const second = fleet.send(`${SHARED} question`, 201).chosen;
  expect([first, second].sort()).toEqual(["r0", "r1"]);
});

test("matches below 1,024 tokens make no owner: the less loaded of two drawn replicas is chosen", () => {
  const fleet = withOwners(3, []);
  fleet.send(SHARED.slice(0, 2000), 0, {}, "r0");
  const chosen = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const decision = fleet.decide(testRequest("q", SHARED.slice(0, 2000)), 1, seed);
    if (decision.kind === "routed") chosen.add(decision.chosen);
  }
  expect(chosen).toEqual(new Set(["r1", "r2"]));
});
