import { expect, test } from "vitest";
import { TestFleet, testPolicy } from "../testing-fleet.ts";

const POLICY = testPolicy({ type: "prefix-hash-bounded" });

test("prompts that share their first 256 tokens share their replica; what follows does not matter", () => {
  const chosen = new Set<string>();
  for (const tail of ["a", "b", "c", "d"]) {
    const fleet = new TestFleet(6, POLICY);
    chosen.add(fleet.send("shared!".repeat(200) + tail.repeat(3000), 0).chosen);
  }
  expect(chosen.size).toBe(1);
});

test("past its bound of the mean load the hashed replica gives way to the least loaded one", () => {
  const fleet = new TestFleet(3, POLICY);
  const prompt = "shared!".repeat(300);
  const home = fleet.send(prompt, 0).chosen;
  const second = fleet.send(prompt, 1).chosen;
  expect(second).not.toBe(home);
});
