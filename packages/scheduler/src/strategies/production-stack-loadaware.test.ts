import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

const SHARED = "shared context ".repeat(600);

test("a full match is worth as much as load up to its own mean above the mean", () => {
  for (const [busy, expected] of [
    [2, "r0"],
    [6, "r1"],
  ] as const) {
    const fleet = new TestFleet(2, testPolicy({ type: "production-stack-loadaware" }));
    fleet.send(SHARED, 0, { id: "warm" }, "r0");
    fleet.state.ended("warm", "completed", 1);
    for (let i = 0; i < busy; i++) fleet.send(`${i}`, 2, {}, "r0");
    fleet.send("x", 2, {}, "r1");
    expect(fleet.send(SHARED, 3).chosen).toBe(expected);
  }
});
