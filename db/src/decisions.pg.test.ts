import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openDb } from "./connect.ts";
import { decisionId, decisionIdTimeMs } from "./decision-id.ts";
import type { DecisionRecord } from "./decision-record.ts";
import { anyDecisionRecord } from "./decision-record-arbitrary.ts";
import { insertDecisions } from "./decisions.ts";
import { readDecision, readDecisions } from "./read-decisions.ts";
import { withTestDb } from "./testing.ts";

test("any record reads back exactly as it was inserted", async () => {
  await using store = await withTestDb();
  await fc.assert(
    fc.asyncProperty(fc.array(anyDecisionRecord(), { minLength: 1, maxLength: 8 }), async (samples) => {
      const records = samples.map(withFreshId);
      const result = await insertDecisions(store.db, records);
      expect(result.refused).toEqual([]);
      const read = await readDecisions(
        store.db,
        records.map((record) => record.id),
      );
      expect(read.map((stored) => stored.record)).toEqual(records);
    }),
    { numRuns: 60 },
  );
});

test("a thousand candidates read back exactly", async () => {
  await using store = await withTestDb();
  const [record] = fc.sample(anyDecisionRecord(5), { numRuns: 1, seed: 1 });
  const [template] = fc.sample(anyDecisionRecord(5), { numRuns: 1, seed: 2 });
  const candidate = template?.decision.candidates[0] ?? record?.decision.candidates[0];
  if (!record || !candidate) throw new Error("the samples have a candidate");
  const candidates = Array.from({ length: 1000 }, (_, i) => ({ ...candidate, replica: `r${i}`, cost: i }));
  const wide = { ...record, decision: { ...record.decision, candidates } };
  await insertDecisions(store.db, [wide]);
  expect(await readDecision(store.db, record.id)).toEqual(wide);
});

test("records sent again are ignored, so a batch of unknown fate can be repeated", async () => {
  await using store = await withTestDb();
  const records = sample(20);
  expect(await insertDecisions(store.db, records.slice(0, 12))).toMatchObject({ stored: 12, duplicates: 0 });
  expect(await insertDecisions(store.db, records)).toMatchObject({ stored: 8, duplicates: 12 });
  expect(await store.db.sql`select count(*)::int as n from decisions`).toEqual([{ n: 20 }]);
});

test("several routers may store overlapping batches at once", async () => {
  await using store = await withTestDb();
  const records = sample(40);
  const handles = Array.from({ length: 4 }, () => store.open("evenkeel_router"));
  const results = await Promise.all(
    handles.map((db, i) => insertDecisions(db, records.slice(i * 8, i * 8 + 16))),
  );
  expect(results.reduce((sum, result) => sum + result.stored, 0)).toBe(40);
});

test("a record without a proper id is refused by itself and the others are stored", async () => {
  await using store = await withTestDb();
  const [first, second] = sample(2);
  if (!first || !second) throw new Error("two samples were asked for");
  const result = await insertDecisions(store.db, [{ ...first, id: "not-an-id" }, second]);
  expect(result).toEqual({
    stored: 1,
    duplicates: 0,
    refused: [{ id: "not-an-id", problem: "not a decision id: not-an-id" }],
  });
});

test("names and numbers that Postgres cannot hold do not fail a batch", async () => {
  await using store = await withTestDb();
  const [record, other] = sample(2);
  if (!record || !other) throw new Error("two samples were asked for");
  const odd: DecisionRecord = {
    ...record,
    model: "a\u0000b",
    requestId: "\ud800 half a pair",
    sessionHash: "'); drop table decisions; --",
    decision: { ...record.decision, baseModel: null, decidedAtMs: decisionIdTimeMs(record.id) },
    promptTokens: 2 ** 40,
    cachedTokens: 1.5,
    durationMs: 1e300,
    ttftMs: 1e-300,
    heldMs: Number.POSITIVE_INFINITY,
  };
  expect(await insertDecisions(store.db, [odd, other])).toMatchObject({ stored: 2, refused: [] });
  expect(await readDecision(store.db, odd.id)).toMatchObject({
    model: "a\uFFFDb",
    requestId: "\uFFFD half a pair",
    sessionHash: "'); drop table decisions; --",
    promptTokens: 2 ** 31 - 1,
    cachedTokens: 1,
    durationMs: Number.POSITIVE_INFINITY,
    ttftMs: 0,
    heldMs: Number.POSITIVE_INFINITY,
  });
});

test("what is not there, or is no id, is not found", async () => {
  await using store = await withTestDb();
  const [record] = sample(1);
  expect(await readDecision(store.db, record?.id ?? "")).toBeNull();
  expect(await readDecision(store.db, "'; drop table decisions")).toBeNull();
  expect(await readDecisions(store.db, [])).toEqual([]);
});

test("with nothing to store the database is not asked", async () => {
  const nowhere = openDb({ url: "postgres://nobody@127.0.0.1:1/none" });
  expect(await insertDecisions(nowhere, [])).toEqual({ stored: 0, duplicates: 0, refused: [] });
  await nowhere.close();
});

function sample(count: number): DecisionRecord[] {
  return fc.sample(anyDecisionRecord(), { numRuns: count, seed: count }).map(withFreshId);
}

/** Samples repeat ids from run to run, and a stored id is stored for good. */
function withFreshId(record: DecisionRecord): DecisionRecord {
  return { ...record, id: decisionId(decisionIdTimeMs(record.id), randomBytes(10)) };
}
