import { compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Draft, keepDraft, keptDraft } from "./draft.ts";
import { draftState } from "./draft-state.ts";

const TEXT = `version: 1
models:
  - name: "*"
    strategy: { type: predicted-cost }
    retries: { maxAttempts: 3 }
`;

function live(revision: number, source: string) {
  const compiled = compilePolicy(parse(source), revision);
  if (!compiled.ok) throw new Error("the test's own policy must compile");
  return { revision, source, document: compiled.policy.document };
}

function draft(text: string, baseRevision = 1): Draft {
  return { text, baseRevision, baseText: TEXT, reason: "" };
}

test("a draft on the live revision shows what it changes, and a default written down is no change", () => {
  const state = draftState(draft(TEXT.replace("maxAttempts: 3", "maxAttempts: 5")), live(1, TEXT));
  expect(state.base.kind).toBe("current");
  expect(state.changes).toMatchObject([{ before: 3, after: 5 }]);
  expect(
    draftState(draft(`${TEXT}recording: { snapshotIntervalMs: 5000 }\n`), live(1, TEXT)).changes,
  ).toEqual([]);
});

test("a revision stored before a field existed does not make the field a change", () => {
  const old = { revision: 1, source: TEXT, document: parse(TEXT) };
  expect(draftState(draft(TEXT), old).changes).toEqual([]);
});

test("when someone publishes, the draft is behind or in conflict, by field", () => {
  const mine = draft(TEXT.replace("maxAttempts: 3", "maxAttempts: 5"));
  const apart = live(2, `${TEXT}recording: { snapshotIntervalMs: 1000 }\n`);
  const same = live(2, TEXT.replace("maxAttempts: 3", "maxAttempts: 7"));
  expect(draftState(mine, apart).base.kind).toBe("behind");
  expect(draftState(mine, same).base.kind).toBe("conflict");
});

test("a draft that is not YAML is not compared, and nothing is thrown", () => {
  const state = draftState(draft("models: ["), live(2, TEXT));
  expect(state.base.kind).toBe("unknown");
  expect(state.changes).toBeNull();
  expect(state.checked.problems).toHaveLength(1);
});

test("a kept draft comes back whole; a damaged or refused store is no draft and no error", () => {
  const store = new Map<string, string>();
  const storage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
    removeItem: (key: string) => void store.delete(key),
  };
  const kept = draft("text # with comment");
  keepDraft(storage, kept);
  expect(keptDraft(storage)).toEqual(kept);
  keepDraft(storage, null);
  expect(keptDraft(storage)).toBeNull();
  store.set("evenkeel:policy-draft", '{"text": 1}');
  expect(keptDraft(storage)).toBeNull();
  const full = {
    setItem: () => {
      throw new Error("QuotaExceededError");
    },
    removeItem: () => {},
  };
  expect(() => keepDraft(full, kept)).not.toThrow();
});
