import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "preble" });
const SHARED = "shared context ".repeat(600);

test("a prompt of which more is cached than new exploits the holders of its match, however loaded", () => {
  const fleet = new TestFleet(3, POLICY);
  fleet.send(SHARED, 0, {}, "r1");
  for (let i = 0; i < 10; i++) fleet.send(`${i}`.repeat(9000), 0, {}, "r1");
  expect(fleet.send(SHARED + "more".repeat(500), 1)).toMatchObject({ chosen: "r1", reason: "prefix_match" });
});

test("a prompt of which more is new explores: the least load of the last three minutes wins", () => {
  const fleet = new TestFleet(2, POLICY);
  fleet.send(SHARED, 0, { id: "a" }, "r1");
  fleet.state.ended("a", "completed", 1000);
  const mostlyNew = SHARED + "z".repeat(40_000);
  expect(fleet.send(mostlyNew, 2000, { id: "b" })).toMatchObject({ chosen: "r0", reason: "shortest_wait" });
  fleet.state.ended("b", "completed", 4000);
});

test("load older than three minutes is forgotten", () => {
  const fleet = new TestFleet(2, POLICY);
  fleet.send("a".repeat(80_000), 0, { id: "a" }, "r0");
  fleet.state.ended("a", "completed", 1000);
  fleet.send("b".repeat(4000), 250_000, { id: "b" }, "r1");
  fleet.state.ended("b", "completed", 250_100);
  expect(fleet.send("c".repeat(4000), 250_200).chosen).toBe("r0");
});
