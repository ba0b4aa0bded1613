import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
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

/** Samples repeat ids from run to run, and a stored id is stored for good. */
function withFreshId(record: DecisionRecord): DecisionRecord {
  return { ...record, id: decisionId(decisionIdTimeMs(record.id), randomBytes(10)) };
}
