import { ensurePartitions, listPartitions } from "@evenkeel/db/partitions";
import { withTestDb } from "@evenkeel/db/testing";
import { compilePolicy } from "@evenkeel/scheduler/compile-policy";
import pino from "pino";
import { expect, test } from "vitest";
import { until } from "../testing/router-under-test.ts";
import { RetentionClock } from "./retention-clock.ts";

const DAY_MS = 86_400_000;
const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

test("days past the policy's retention are dropped, and days to keep stay", async () => {
  await using testDb = await withTestDb();
  const nowMs = Date.now();
  const [old, kept] = [dayOf(nowMs - 5 * DAY_MS), dayOf(nowMs - 2 * DAY_MS)];
  await ensurePartitions(testDb.db, "decisions", [old, kept]);
  const compiled = compilePolicy(
    {
      version: 1,
      models: [{ name: "*", strategy: { type: "round-robin" } }],
      retention: { decisionDays: 3 },
    },
    1,
  );
  if (!compiled.ok) throw new Error("the test's policy is wrong");
  const retention = new RetentionClock({
    db: testDb.open("evenkeel_router"),
    clock: Date.now,
    policy: () => compiled.policy.document,
    logger: pino({ level: "silent" }),
    roundMs: 50,
  });
  const days = async () => (await listPartitions(testDb.db, "decisions")).map(({ day }) => day);
  await until(async () => !(await days()).includes(old));
  expect(await days()).toContain(kept);
  await retention.close();
});
