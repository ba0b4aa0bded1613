import { expect, test } from "vitest";
import { insertDecisions } from "./decisions.ts";
import { DecisionSampler } from "./measure/sample-decisions.ts";
import { dayOf, listPartitions } from "./partitions.ts";
import { withTestDb } from "./testing.ts";
import { Upkeep } from "./upkeep.ts";

const HOUR_MS = 60 * 60 * 1000;

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("past minutes are rolled up and the coming days have partitions, with the router's rights, also after an outage", async () => {
  await using store = await withTestDb();
  const sampler = new DecisionSampler({
    startMs: Date.now() - HOUR_MS,
    ratePerSecond: 1,
    replicas: 4,
    models: 1,
    candidates: 4,
    seed: 1,
  });
  await insertDecisions(store.db, sampler.batch(120));
  const problems: (string | null)[] = [];
  const backOnline = await store.takeOffline();
  const upkeep = new Upkeep({
    target: { url: store.url, role: "evenkeel_router" },
    intervalMs: 30,
    onProblem: (problem) => problems.push(problem),
  });
  await until(async () => problems.length === 1);
  await backOnline();
  await until(async () => problems.length === 2);
  expect(problems[0]).toContain("not currently accepting connections");
  expect(problems[1]).toBeNull();
  const days = (await listPartitions(store.db, "decisions")).map((partition) => partition.day);
  expect(days).toContain(dayOf(Date.now() + 6 * 24 * HOUR_MS));
  const [row] = await store.db.sql`select sum(decisions)::int as counted from decision_minutes`;
  expect(row).toEqual({ counted: 120 });
  await upkeep.close();
});
