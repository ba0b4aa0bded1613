import { expect, test } from "vitest";
import { readYaml } from "./yaml-source.ts";

const TEXT = `# fleet
version: 1
models:
  - name: "*"
    strategy:
      type: predicted-cost
  - name: llama
    retries: { maxAttempts: 3 }
    strategy: { type: round-robin }
`;

test.each([
  [["version"], 2, "version: 1"],
  [["models"], 3, "models"],
  [["models", 0, "name"], 4, 'name: "*"'],
  [["models", 0, "strategy"], 5, "strategy"],
  [["models", 0, "strategy", "type"], 6, "type: predicted-cost"],
  [["models", 1], 7, "name: llama"],
  [["models", 1, "retries", "maxAttempts"], 8, "maxAttempts: 3"],
])("the field %j is found on its line", (path, line, marked) => {
  const place = readYaml(TEXT).placeOf(path);
  expect(place.line).toBe(line);
  expect(TEXT.slice(place.from, place.to)).toBe(marked);
});

test("a field that is absent is shown at its nearest present parent", () => {
  const source = readYaml(TEXT);
  expect(source.placeOf(["models", 1, "timeouts", "idleMs"]).line).toBe(7);
  expect(source.placeOf(["models", 9, "name"]).line).toBe(3);
  expect(source.placeOf(["nothing"])).toMatchObject({ line: 1, from: 0 });
});

test("text that is not YAML has no document and says where it breaks", () => {
  const source = readYaml("version: 1\nmodels: [\n");
  expect(source.document).toBeNull();
  expect(source.syntaxProblems[0]?.line).toBeGreaterThanOrEqual(2);
});

test("a key given twice is a problem at the second one", () => {
  const source = readYaml("version: 1\nversion: 2\n");
  expect(source.document).toBeNull();
  expect(source.syntaxProblems[0]).toMatchObject({ line: 2 });
});

test("aliases that multiply beyond measure are refused, not expanded", () => {
  const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (const [name, of] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"].map((pair) => [...pair])) {
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${of}`).join(",")}]`);
  }
  const source = readYaml(bomb.join("\n"));
  expect(source.document).toBeNull();
  expect(source.syntaxProblems).toHaveLength(1);
});

test("an empty text is a document without content", () => {
  const source = readYaml("");
  expect(source.syntaxProblems).toEqual([]);
  expect(source.document).toBeNull();
  expect(source.placeOf(["version"])).toMatchObject({ line: 1, from: 0, to: 0 });
});
