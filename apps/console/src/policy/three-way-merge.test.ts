import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { semanticDiff } from "./semantic-diff.ts";
import { mergedText, type Side, threeWay } from "./three-way-merge.ts";

const BASE = `version: 1
models:
  # the big one
  - name: llama
    strategy: { type: predicted-cost }
    retries: { maxAttempts: 3 }
  - name: "*"
    strategy: { type: predicted-cost }
`;

function merge(theirs: string, mine: string, picks: Record<string, Side> = {}) {
  const plan = threeWay(parse(BASE), parse(theirs), parse(mine));
  const text = mergedText({ base: BASE, theirs, mine }, plan, picks);
  return { plan, text, document: parse(text) };
}

test("edits of different fields go together and their comments stay", () => {
  const theirs = BASE.replace("maxAttempts: 3", "maxAttempts: 5");
  const mine = `${BASE}recording: { snapshotIntervalMs: 1000 }\n`;
  const { plan, text, document } = merge(theirs, mine);
  expect(plan.conflicts).toEqual([]);
  expect(document.models[0].retries.maxAttempts).toBe(5);
  expect(document.recording.snapshotIntervalMs).toBe(1000);
  expect(text).toContain("# the big one");
});

test("one field changed to two values is a conflict, and the pick decides", () => {
  const theirs = BASE.replace("maxAttempts: 3", "maxAttempts: 5");
  const mine = BASE.replace("maxAttempts: 3", "maxAttempts: 7");
  const key = "models[llama].retries.maxAttempts";
  expect(merge(theirs, mine).plan.conflicts).toEqual([
    { key, path: ["models", "llama", "retries", "maxAttempts"], base: 3, theirs: 5, mine: 7 },
  ]);
  expect(merge(theirs, mine, { [key]: "mine" }).document.models[0].retries.maxAttempts).toBe(7);
  expect(merge(theirs, mine, { [key]: "theirs" }).document.models[0].retries.maxAttempts).toBe(5);
  expect(merge(theirs, mine, { [key]: "base" }).document.models[0].retries.maxAttempts).toBe(3);
});

test("the same change made twice is no conflict", () => {
  const both = BASE.replace("maxAttempts: 3", "maxAttempts: 5");
  const { plan, document } = merge(both, both);
  expect(plan).toEqual({ mine: [], theirs: [], conflicts: [] });
  expect(document).toEqual(parse(both));
});

test("a block they removed and I edited inside is a conflict about the block", () => {
  const theirs = BASE.replace("    retries: { maxAttempts: 3 }\n", "");
  const mine = BASE.replace("maxAttempts: 3", "maxAttempts: 7");
  const { plan } = merge(theirs, mine);
  expect(plan.conflicts.map((conflict) => conflict.key)).toEqual(["models[llama].retries"]);
  expect(merge(theirs, mine, { "models[llama].retries": "mine" }).document.models[0].retries).toEqual({
    maxAttempts: 7,
  });
  expect(
    merge(theirs, mine, { "models[llama].retries": "theirs" }).document.models[0].retries,
  ).toBeUndefined();
});

test("a model I added stands behind the neighbour I gave it, before the catch-all", () => {
  const theirs = BASE.replace(
    '  - name: "*"',
    '  - name: theirs\n    strategy: { type: round-robin }\n  - name: "*"',
  );
  const mine = BASE.replace(
    '  - name: "*"',
    '  - name: mine # new\n    strategy: { type: round-robin }\n  - name: "*"',
  );
  const { document, text } = merge(theirs, mine);
  const names = document.models.map((model: { name: string }) => model.name);
  expect(names.indexOf("mine")).toBe(names.indexOf("llama") + 1);
  expect(names.at(-1)).toBe("*");
  expect(text).toContain("# new");
});

const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("x", "y"));
const anyDocument = fc.record(
  {
    version: fc.constant(1),
    recording: fc.record({ a: value, b: value }, { requiredKeys: [] }),
    models: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom("a", "b", "c", "d"),
        retries: fc.record({ n: value, m: value }, { requiredKeys: [] }),
      }),
      { selector: (model) => model.name, minLength: 1, maxLength: 4 },
    ),
  },
  { requiredKeys: ["version", "models"] },
);

test("with nothing of theirs, the merge says what I said", () => {
  fc.assert(
    fc.property(anyDocument, anyDocument, (base, mine) => {
      const plan = threeWay(base, base, mine);
      expect(plan.conflicts).toEqual([]);
      const text = mergedText(
        { base: stringify(base), theirs: stringify(base), mine: stringify(mine) },
        plan,
        {},
      );
      const left = semanticDiff(mine, parse(text)).filter((change) => change.path.at(-1) !== "(order)");
      expect(left).toEqual([]);
    }),
  );
});

test("picking their side everywhere keeps every field they changed", () => {
  fc.assert(
    fc.property(anyDocument, anyDocument, anyDocument, (base, theirs, mine) => {
      const plan = threeWay(base, theirs, mine);
      const text = mergedText(
        { base: stringify(base), theirs: stringify(theirs), mine: stringify(mine) },
        plan,
        {},
      );
      const lost = semanticDiff(theirs, parse(text)).filter(
        (change) =>
          change.path.at(-1) !== "(order)" &&
          !plan.mine.some((own) =>
            own.path.every(
              (part, index) =>
                change.path[index] === undefined || String(part) === String(change.path[index]),
            ),
          ),
      );
      expect(lost).toEqual([]);
    }),
  );
});
