import { expect, test } from "vitest";
import { checkSource } from "./check-source.ts";

test("the smallest policy passes and comes back with its defaults", () => {
  const checked = checkSource("version: 1\nmodels:\n  - name: '*'\n    strategy: {type: predicted-cost}\n");
  expect(checked.problems).toEqual([]);
  expect(checked.policy?.document.models[0]?.retries.maxAttempts).toBe(3);
});

test("each problem of the document is told at the line of its field", () => {
  const checked = checkSource(
    [
      "version: 1",
      "models:",
      "  - name: llama",
      "    strategy: {type: predicted-cost}",
      "    retries:",
      "      maxAttempts: 99",
      "      maxAtempts: 2",
      "",
    ].join("\n"),
  );
  expect(checked.policy).toBeNull();
  expect(checked.problems.map(({ line, path }) => ({ line, path }))).toEqual([
    { line: 6, path: ["models", 0, "retries", "maxAttempts"] },
    { line: 7, path: ["models", 0, "retries", "maxAtempts"] },
  ]);
});

test("a model named twice is told at the second name", () => {
  const checked = checkSource(
    [
      "version: 1",
      "models:",
      "  - {name: a, strategy: {type: round-robin}}",
      "  - {name: a, strategy: {type: round-robin}}",
    ].join("\n"),
  );
  expect(checked.problems).toMatchObject([{ line: 4, code: "duplicate_model" }]);
});
