import { expect, test } from "vitest";
import { compilePolicy } from "./compile-policy.ts";

const SMALLEST = { version: 1, models: [{ name: "*", strategy: { type: "predicted-cost" } }] };

function problemsOf(document: unknown) {
  const result = compilePolicy(document, 1);
  if (result.ok) throw new Error("expected problems");
  return result.problems;
}

function policyOf(document: unknown) {
  const result = compilePolicy(document, 7);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.policy;
}

test("the smallest document compiles and has every default filled in", () => {
  const policy = policyOf(SMALLEST);
  expect(policy.revision).toBe(7);
  expect(policy.document.recording.snapshotIntervalMs).toBe(5000);
  expect(policy.document.models[0]).toMatchObject({
    objectives: { ttftBaseMs: 2000, ttftPerTokenMs: 0.1, itlMs: 50 },
    retries: { maxAttempts: 3 },
    strategy: { type: "predicted-cost", holding: true },
  });
});

test("a document with its defaults filled in compiles to itself", () => {
  const { document } = policyOf(SMALLEST);
  expect(policyOf(document).document).toEqual(document);
});

test("an exact name wins over an earlier pattern, and the first fitting pattern over later ones", () => {
  const policy = policyOf({
    version: 1,
    models: [
      { name: "*", strategy: { type: "round-robin" } },
      { name: "qwen-*", strategy: { type: "least-request" } },
      { name: "qwen-72b", strategy: { type: "predicted-cost" } },
    ],
  });
  expect(policy.forModel("qwen-72b")?.strategy.type).toBe("predicted-cost");
  expect(policy.forModel("qwen-7b")?.strategy.type).toBe("round-robin");
});

test("a name that no entry fits has no rules", () => {
  const policy = policyOf({ version: 1, models: [{ name: "a*b*c", strategy: { type: "round-robin" } }] });
  expect(policy.forModel("a-b-c")).not.toBeNull();
  expect(policy.forModel("abc")).not.toBeNull();
  expect(policy.forModel("ab")).toBeNull();
  expect(policy.forModel("acb")).toBeNull();
  expect(policy.forModel("xabc")).toBeNull();
});

test("a pattern does not let its pieces overlap", () => {
  const policy = policyOf({ version: 1, models: [{ name: "ab*ba", strategy: { type: "round-robin" } }] });
  expect(policy.forModel("aba")).toBeNull();
  expect(policy.forModel("abba")).not.toBeNull();
});

test.each([
  ["an unknown field", { ...SMALLEST, modles: [] }, ["modles"], "unknown_field"],
  [
    "a missing field",
    { version: 1, models: [{ strategy: { type: "round-robin" } }] },
    ["models", 0, "name"],
    "missing_field",
  ],
  [
    "a field its strategy does not have",
    { version: 1, models: [{ name: "*", strategy: { type: "round-robin", holding: true } }] },
    ["models", 0, "strategy", "holding"],
    "unknown_field",
  ],
  [
    "a value out of range",
    { version: 1, models: [{ name: "*", strategy: { type: "round-robin" }, retries: { maxAttempts: 0 } }] },
    ["models", 0, "retries", "maxAttempts"],
    "invalid_value",
  ],
  [
    "a session key source that is neither header nor body",
    {
      version: 1,
      models: [{ name: "*", strategy: { type: "round-robin" }, sessions: { keys: ["cookie:id"] } }],
    },
    ["models", 0, "sessions", "keys", 0],
    "invalid_value",
  ],
])("%s is refused with its path", (_, document, path, code) => {
  expect(problemsOf(document)).toContainEqual(expect.objectContaining({ path, code }));
});

test("an unknown strategy is refused with the names to choose from", () => {
  const problems = problemsOf({ version: 1, models: [{ name: "*", strategy: { type: "fastest" } }] });
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toEqual(["models", 0, "strategy", "type"]);
  expect(problems[0]?.message).toContain("predicted-cost");
});

test.each([
  ["none", { name: "*" }, ["strategy"], /^strategy is missing: .*predicted-cost/, "missing_field"],
  ["null", { name: "*", strategy: null }, ["strategy"], /^strategy is missing: /, "invalid_value"],
  ["a bare name", { name: "*", strategy: "random" }, ["strategy"], /is written \{type: /, "invalid_value"],
  [
    "one without a type",
    { name: "*", strategy: {} },
    ["strategy", "type"],
    /type is missing/,
    "invalid_value",
  ],
])("for a strategy, %s is told as what it is", (_, model, path, message, code) => {
  const problems = problemsOf({ version: 1, models: [model] });
  expect(problems).toEqual([{ path: ["models", 0, ...path], message: expect.stringMatching(message), code }]);
});

test("a name used twice is told beside what the schema finds", () => {
  const problems = problemsOf({ version: 1, models: [{ name: "*" }, { name: "*" }] });
  expect(problems.map(({ path, code }) => [path.join("."), code])).toEqual([
    ["models.0.strategy", "missing_field"],
    ["models.1.strategy", "missing_field"],
    ["models.1.name", "duplicate_model"],
  ]);
});

test.each([
  { models: [null, 3, { name: 3 }, { name: 3 }, { name: "a", pools: "p" }] },
  { models: [{ name: "a", pools: [null, { name: ["x"] }] }] },
])("names are looked for in %j without an exception", (document) => {
  expect(problemsOf(document).some(({ code }) => code.startsWith("duplicate"))).toBe(false);
});

test("two entries of one name and two pools of one name are refused", () => {
  const pool = { name: "p", labels: { gpu: "h100" } };
  const model = { name: "m", strategy: { type: "round-robin" }, pools: [pool, pool] };
  const codes = problemsOf({ version: 1, models: [model, model] }).map((problem) => problem.code);
  expect(codes).toEqual(["duplicate_model", "duplicate_pool", "duplicate_pool"]);
});

test.each([null, undefined, 3, "x", [], { version: 2 }, { version: 1, models: "all" }])(
  "%j is refused without an exception",
  (document) => {
    expect(problemsOf(document).length).toBeGreaterThan(0);
  },
);
