import { expect, test } from "vitest";
import { fieldAt } from "./field-at.ts";
import { MAX_SOURCE_LENGTH } from "./yaml-bounds.ts";
import { readYaml } from "./yaml-source.ts";

const HEAD = "version: 1\nmodels:\n";

test.each([
  ["flow lists", `${HEAD}${"[".repeat(20_000)}`, 3],
  ["flow maps", `${HEAD}  - ${"{a: ".repeat(20_000)}`, 3],
  ["lists on one line", `${HEAD}${"- ".repeat(20_000)}x`, 3],
  ["keys that are maps", `${HEAD}${"? ".repeat(20_000)}`, 3],
  [
    "maps by indentation",
    Array.from({ length: 1_300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
    65,
  ],
])("%s nested too deep are one problem at their line", (_, text, line) => {
  const source = readYaml(text);
  expect(source.document).toBeNull();
  expect(source.syntaxProblems).toHaveLength(1);
  expect(source.syntaxProblems[0]).toMatchObject({
    line,
    message: expect.stringMatching(/Nested deeper than 64 levels/),
    code: "yaml",
  });
  expect(fieldAt(text, 0)).toBeNull();
});

test("sixty-four levels are read", () => {
  const source = readYaml(`${"[".repeat(64)}${"]".repeat(64)}`);
  expect(source.syntaxProblems).toEqual([]);
  expect(source.document).not.toBeNull();
});

test.each([
  ["block", (fields: readonly string[]) => fields.join("\n"), 1_001],
  ["flow", (fields: readonly string[]) => `{\n${fields.join(",\n")}\n}`, 1_001],
])("a %s map with more fields than can be compared is one problem", (_, write, line) => {
  const fields = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`);
  const { syntaxProblems } = readYaml(write(fields));
  expect(syntaxProblems).toMatchObject([{ line, message: expect.stringMatching(/More than 1000 fields/) }]);
  expect(readYaml(write(fields.slice(0, 1000))).syntaxProblems).toEqual([]);
});

test("a text beyond the longest is one problem where it becomes too long", () => {
  const text = "# comment\n".repeat(MAX_SOURCE_LENGTH / 10 + 1);
  expect(readYaml(text).syntaxProblems).toMatchObject([
    { line: MAX_SOURCE_LENGTH / 10 + 1, column: 1, message: expect.stringMatching(/at most 1000000/) },
  ]);
  expect(readYaml(text.slice(0, MAX_SOURCE_LENGTH)).syntaxProblems).toEqual([]);
});
