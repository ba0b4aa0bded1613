import { expect, test } from "vitest";
import { pathWords, semanticDiff, valueWords } from "./semantic-diff.ts";

const model = (name: string, rest: object = {}) => ({ name, strategy: { type: "predicted-cost" }, ...rest });

test("a changed field is told with its old and new value under its model's name", () => {
  const changes = semanticDiff(
    { models: [model("a", { retries: { maxAttempts: 3 } }), model("b")] },
    { models: [model("a", { retries: { maxAttempts: 5 } }), model("b")] },
  );
  expect(changes).toEqual([
    { path: ["models", "a", "retries", "maxAttempts"], kind: "changed", before: 3, after: 5 },
  ]);
  expect(pathWords(changes[0]?.path ?? [])).toBe("models[a].retries.maxAttempts");
});

test("a model put in front of others is one added model, not a change of all", () => {
  const changes = semanticDiff({ models: [model("a")] }, { models: [model("new"), model("a")] });
  expect(changes.map((change) => [pathWords(change.path), change.kind])).toEqual([["models[new]", "added"]]);
});

test("models that changed places are a change of order", () => {
  const changes = semanticDiff(
    { models: [model("a*"), model("b*")] },
    { models: [model("b*"), model("a*")] },
  );
  expect(changes).toEqual([
    { path: ["models", "(order)"], kind: "changed", before: "a*, b*", after: "b*, a*" },
  ]);
});

test("the order of keys is no difference", () => {
  expect(semanticDiff({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual([]);
});

test("values read as words", () => {
  expect(valueWords(undefined)).toBe("none");
  expect(valueWords(["header:x", "body:user"])).toBe("[header:x, body:user]");
  expect(valueWords({ type: "round-robin", n: null })).toBe("{type: round-robin, n: none}");
  expect(valueWords(2.5)).toBe("2.5");
});
