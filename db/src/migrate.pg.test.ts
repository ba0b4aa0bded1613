import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";
import { withEmptyDb } from "./testing.ts";

test("a second migration changes nothing", async () => {
  await using empty = await withEmptyDb();
  const first = await migrateDatabase(empty.url);
  const second = await migrateDatabase(empty.url);
  expect(first.applied).toBeGreaterThan(0);
  expect(second).toEqual({ applied: 0, roles: { enforced: true } });
});
