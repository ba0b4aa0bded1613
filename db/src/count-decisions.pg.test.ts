import fc from "fast-check";
import { expect, test } from "vitest";
import { countDecisions } from "./count-decisions.ts";
import { insertDecisions } from "./decisions.ts";
import { DecisionSampler } from "./measure/sample-decisions.ts";
import { rollUp } from "./rollup.ts";
import { withTestDb } from "./testing.ts";

const START_MS = Date.UTC(2026, 9, 1, 10);
const MINUTE_MS = 60_000;

test("counts are exact for any range and step, whether minutes are rolled up, late, cut or recent", async () => {
  await using store = await withTestDb();
  const sampler = new DecisionSampler({
    startMs: START_MS,
    ratePerSecond: 0.5,
    replicas: 4,
    models: 2,
    candidates: 4,
    seed: 5,
  });
  const records = sampler.batch(1800);
  await insertDecisions(
    store.db,
    records.filter((_, i) => i % 10 !== 0),
  );
  await rollUp(store.db, START_MS + 45 * MINUTE_MS);
  // These come late: to minutes that are rolled up already.
  await insertDecisions(
    store.db,
    records.filter((_, i) => i % 10 === 0),
  );
  const [some] = await store.db.sql<{ nums: number[] }[]>`
    select array_agg(num) as nums from decision_contexts where base_model = 'model-0'`;
  const contexts = some?.nums ?? [];
  const console_ = store.open("evenkeel_console");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -5, max: 65 * 60 }),
      fc.integer({ min: 0, max: 70 * 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (fromSeconds, seconds, stepMinutes, isFiltered) => {
        const fromMs = START_MS + fromSeconds * 1000;
        const toMs = fromMs + seconds * 1000;
        const stepMs = stepMinutes * MINUTE_MS;
        const counts = await countDecisions(console_, {
          fromMs,
          toMs,
          stepMs,
          groupBy: "reason",
          ...(isFiltered ? { contexts } : {}),
        });
        const expected = new Map<string, number>();
        for (const { decision } of records) {
          const { decidedAtMs } = decision;
          if (decidedAtMs < fromMs || decidedAtMs >= toMs) continue;
          if (isFiltered && decision.baseModel !== "model-0") continue;
          const reason = decision.kind === "routed" ? decision.reason : null;
          const key = `${Math.floor(decidedAtMs / stepMs) * stepMs} ${reason}`;
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        const counted = new Map(
          counts.map(({ binMs, group, decisions }) => [`${binMs} ${group}`, decisions]),
        );
        expect(counted).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

test("no context, an empty range and a step that is no whole minute are what they say", async () => {
  await using store = await withTestDb();
  const range = { fromMs: 0, toMs: MINUTE_MS, stepMs: MINUTE_MS, groupBy: "outcome" } as const;
  expect(await countDecisions(store.db, { ...range, contexts: [] })).toEqual([]);
  expect(await countDecisions(store.db, { ...range, toMs: 0 })).toEqual([]);
  await expect(countDecisions(store.db, { ...range, stepMs: 1000 })).rejects.toThrow("not whole minutes");
});
