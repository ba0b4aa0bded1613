import { expect, test } from "vitest";
import { problemPath } from "./problem-path.ts";

const path = ["models", 1, "strategy", "type"];

test("a problem's path names the model, as the list of changes does", () => {
  const document = { models: [{ name: "llama" }, { name: "*", strategy: { type: "fastest" } }] };
  expect(problemPath(path, document)).toBe("models[*].strategy.type");
});

test("a model without a name of its own keeps its index, and so does one that is not there", () => {
  expect(problemPath(path, { models: [{ name: "a" }, {}] })).toBe("models[1].strategy.type");
  expect(problemPath(path, { models: [{ name: "a" }, { name: "a" }] })).toBe("models[1].strategy.type");
  expect(problemPath(path, null)).toBe("models[1].strategy.type");
});

test("a problem of the whole text is one of the document", () => {
  expect(problemPath([], {})).toBe("document");
});
