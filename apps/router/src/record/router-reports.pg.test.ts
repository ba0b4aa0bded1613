import { openDb } from "@evenkeel/db/connect";
import { withTestDb } from "@evenkeel/db/testing";
import pino from "pino";
import { expect, test } from "vitest";
import { until } from "../testing/router-under-test.ts";
import { RouterReports, type RouterReportsOptions } from "./router-reports.ts";

function reports(db: RouterReportsOptions["db"]) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => lines.push(String(JSON.parse(line).msg)) });
  const made = new RouterReports({
    db,
    logger,
    routerId: "r",
    startedAtMs: 0,
    version: "0",
    intervalMs: 50,
    policyRevision: () => 0,
    records: () => ({ queued: 0, spooled: 0, dropped: 0 }),
  });
  return { made, lines };
}

const REPLICA = {
  id: "r1",
  model: "m",
  engine: "vllm",
  role: "unified",
  labels: {},
  segment: "m/vllm",
} as const;

test("a refused report names what failed, once, and does not claim that the database is away", async () => {
  await using store = await withTestDb();
  await store.db.sql`alter table replicas add constraint none check (model <> 'm')`;
  const { made, lines } = reports(store.db);
  made.fleetChanged([REPLICA]);
  await until(() => lines.length > 0);
  await store.db.sql`alter table replicas drop constraint none`;
  await until(async () => (await store.db.sql`select from replicas`).length === 1);
  await made.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/refused.*constraint/);
  expect(lines[0]).not.toContain("away");
});

test("a database that cannot be reached is called away", async () => {
  const db = openDb({ url: "postgres://u@127.0.0.1:1/d", applicationName: "test", max: 1 });
  const { made, lines } = reports(db);
  made.beat();
  await until(() => lines.length > 0);
  await made.close();
  await db.close();
  expect(lines[0]).toContain("the database is away");
});
