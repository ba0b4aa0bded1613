import { expect, test } from "vitest";
import { diffDocuments } from "./document-diff.ts";

test("equal documents have no difference, whatever the order of their keys", () => {
  expect(diffDocuments({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toEqual([]);
});

test("a changed, an added and a removed field are named by their path", () => {
  const before = { version: 1, retries: { maxAttempts: 3, budget: 0.1 } };
  const after = { version: 1, retries: { maxAttempts: 2 }, recording: { snapshotIntervalMs: 1000 } };
  expect(diffDocuments(before, after)).toEqual([
    { path: ["retries", "maxAttempts"], kind: "changed", before: 3, after: 2 },
    { path: ["retries", "budget"], kind: "removed", before: 0.1 },
    { path: ["recording"], kind: "added", after: { snapshotIntervalMs: 1000 } },
  ]);
});

test("list elements are matched by name, so one inserted in front changes nothing else", () => {
  const llama = { name: "llama", strategy: { type: "predicted-cost" } };
  const star = { name: "*", strategy: { type: "round-robin" } };
  expect(diffDocuments({ models: [star] }, { models: [llama, star] })).toEqual([
    { path: ["models", "llama"], kind: "added", after: llama },
  ]);
});

test("a new order of named elements is a change of its own", () => {
  const [a, b] = [{ name: "a" }, { name: "b" }];
  expect(diffDocuments([a, b], [b, a])).toEqual([
    { path: ["order"], kind: "changed", before: ["a", "b"], after: ["b", "a"] },
  ]);
});

test("elements without a name are compared by place", () => {
  expect(diffDocuments({ keys: ["x", "y"] }, { keys: ["x", "z", "w"] })).toEqual([
    { path: ["keys", 1], kind: "changed", before: "y", after: "z" },
    { path: ["keys", 2], kind: "added", after: "w" },
  ]);
});
