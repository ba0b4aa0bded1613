import { expect, test } from "vitest";
import { AdapterDemand } from "./adapter-demand.ts";

test("an adapter is worth copies by its share of the load, three times over, and at least one", () => {
  const demand = new AdapterDemand();
  for (let i = 0; i < 100; i++) demand.observe(i % 4 === 0 ? "hot" : i % 50 === 1 ? "rare" : null, 0);
  expect(demand.copiesWanted("hot", 8, 0)).toBe(6);
  expect(demand.copiesWanted("rare", 8, 0)).toBe(1);
  expect(demand.copiesWanted("never", 8, 0)).toBe(1);
});

test("demand fades when others take the load", () => {
  const demand = new AdapterDemand();
  for (let i = 0; i < 50; i++) demand.observe("was", 0);
  for (let i = 0; i < 50; i++) demand.observe("is", 300_000);
  expect(demand.copiesWanted("was", 8, 300_000)).toBe(1);
});
