import { expect, test } from "vitest";
import { TestFleet, testPolicy, testReplica } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "consistent-hash" });

function homes(fleet: TestFleet, sessions: number): Map<string, string> {
  const home = new Map<string, string>();
  for (let i = 0; i < sessions; i++)
    home.set(`s${i}`, fleet.send("hello", i, { sessionKey: `s${i}` }).chosen);
  return home;
}

test("a session stays on one replica whatever the load", () => {
  const fleet = new TestFleet(5, POLICY);
  const first = fleet.send("hello", 0, { sessionKey: "s" }).chosen;
  for (let i = 0; i < 20; i++) expect(fleet.send("hello", i, { sessionKey: "s" }).chosen).toBe(first);
});

test("when a replica leaves only its own sessions move", () => {
  const fleet = new TestFleet(5, POLICY);
  const before = homes(fleet, 200);
  fleet.state.setReplicas(
    ["r0", "r1", "r2", "r3"].map((id) => testReplica(id)),
    1000,
  );
  const after = homes(fleet, 200);
  for (const [session, home] of before) if (home !== "r4") expect(after.get(session)).toBe(home);
});

test("a request without a session goes to the replica with the fewest in flight", () => {
  const fleet = new TestFleet(2, POLICY);
  fleet.send("hello", 0, {}, "r0");
  expect(fleet.send("hello", 1).chosen).toBe("r1");
});
