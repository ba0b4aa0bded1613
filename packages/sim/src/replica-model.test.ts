import { expect, test } from "vitest";
import { ReplicaModel } from "./replica-model.ts";
import { type ReplicaParameters, stepDurationMs } from "./replica-parameters.ts";
import { presetNamed } from "./replica-presets.ts";
import { RequestTooLongError } from "./request-too-long-error.ts";
import type { ModelRequest } from "./sequence.ts";

const parameters: ReplicaParameters = {
  ...presetNamed("llama-8b-h100"),
  kvBlocks: 64,
  maxBatchedTokens: 128,
};

function request(id: string, fields: Partial<ModelRequest> = {}): ModelRequest {
  const promptTokens = fields.promptTokens ?? 64;
  const blockHashes = Array.from({ length: Math.floor(promptTokens / 16) }, (_, block) => block + 1);
  return { id, promptTokens, outputTokens: 2, blockHashes, adapter: null, ...fields };
}

/** Ids that produced a token in the next step. */
function step(model: ReplicaModel, nowMs = 0): string[] {
  if (model.beginStep(nowMs) === null) return [];
  return model.endStep().map((sequence) => sequence.request.id);
}

test("a step's duration is the sum of its documented parts", () => {
  const batch = {
    prefillTokens: 1000,
    decodingSequences: 10,
    decodeContextTokens: 50_000,
    attentionPairs: 1000 * 500,
    distinctAdapters: 0,
  };
  const expected = 1.5 + (17.2 * 1010) / 1e3 + (15 * 10) / 1e3 + (45 * 50_000) / 1e6 + (0.9 * 500_000) / 1e6;
  expect(stepDurationMs(presetNamed("llama-8b-h100"), batch)).toBeCloseTo(expected, 9);
  expect(stepDurationMs(presetNamed("llama-8b-h100"), { ...batch, distinctAdapters: 3 })).toBeCloseTo(
    expected * 1.03,
    9,
  );
});

test("small batches take as long as reading the weights", () => {
  const batch = { decodingSequences: 1, decodeContextTokens: 0, attentionPairs: 0, distinctAdapters: 0 };
  const one = stepDurationMs(presetNamed("llama-8b-h100"), { ...batch, prefillTokens: 0 });
  const some = stepDurationMs(presetNamed("llama-8b-h100"), { ...batch, prefillTokens: 200 });
  expect(some).toBe(one);
});

test("a long prompt is computed in chunks of the token budget before its first token", () => {
  const model = new ReplicaModel(parameters);
  model.enqueue(request("long", { promptTokens: 300, outputTokens: 1 }), 0);
  expect([step(model), step(model), step(model)]).toEqual([[], [], ["long"]]);
});

test("decoding sequences come before the prompts that wait", () => {
  const model = new ReplicaModel(parameters);
  model.enqueue(request("first", { outputTokens: 5 }), 0);
  step(model);
  model.enqueue(request("second", { promptTokens: 256, outputTokens: 1, blockHashes: [] }), 0);
  expect(step(model)).toEqual(["first"]);
  expect(step(model)).toEqual(["first"]);
  expect(step(model)).toEqual(["first", "second"]);
});

test("a prompt of equal beginning reuses the full blocks, one block at least is computed", () => {
  const model = new ReplicaModel(parameters);
  model.enqueue(request("one"), 0);
  while (step(model).length > 0);
  expect(model.cachedTokensOf(request("two"))).toBe(48);
  expect(model.cachedTokensOf(request("three", { promptTokens: 70 }))).toBe(64);
  const sequence = model.enqueue(request("four"), 0);
  step(model);
  expect(sequence.cachedTokens).toBe(48);
  expect(model.totals.cachedTokens).toBe(48);
});

test("an answer's blocks are found by the next turn when it names them", () => {
  const model = new ReplicaModel(parameters);
  model.enqueue(request("turn-1", { outputTokens: 40, outputBlockHash: (index) => 500 + index }), 0);
  while (step(model).length > 0);
  // 64 prompt tokens and 39 answer tokens are in the cache (the last token is never fed back): 6 full blocks.
  const next = request("turn-2", {
    promptTokens: 160,
    blockHashes: [1, 2, 3, 4, 504, 505, 506, 507, 508, 509],
  });
  expect(model.cachedTokensOf(next)).toBe(96);
});

test("when no block is free for the next token, the last admitted sequence starts over and still finishes", () => {
  const model = new ReplicaModel({ ...parameters, kvBlocks: 10 });
  for (const id of ["a", "b"]) {
    model.enqueue(request(id, { promptTokens: 64, outputTokens: 40, blockHashes: [] }), 0);
  }
  const order: string[] = [];
  for (let tokens = step(model); tokens.length > 0; tokens = step(model)) order.push(...tokens);
  expect(model.totals.preemptions).toBeGreaterThan(0);
  expect(order.filter((id) => id === "a")).toHaveLength(40);
  expect(order.filter((id) => id === "b")).toHaveLength(40);
  expect(order.lastIndexOf("a")).toBeLessThan(order.lastIndexOf("b"));
});

test("a request that can never fit is refused with its numbers", () => {
  const model = new ReplicaModel({ ...parameters, kvBlocks: 10 });
  expect(() => model.enqueue(request("huge", { promptTokens: 159, outputTokens: 2 }), 0)).toThrow(
    RequestTooLongError,
  );
  expect(() => model.enqueue(request("fits", { promptTokens: 158, outputTokens: 2 }), 0)).not.toThrow();
});

test("a request whose adapter finds no slot waits, the ones behind it pass", () => {
  const model = new ReplicaModel({ ...parameters, adapters: { ...parameters.adapters, slots: 1 } });
  model.enqueue(request("x", { adapter: "x", outputTokens: 3, blockHashes: [] }), 0);
  step(model);
  model.enqueue(request("y", { adapter: "y", outputTokens: 1, blockHashes: [] }), 0);
  model.enqueue(request("base", { outputTokens: 1, blockHashes: [] }), 0);
  expect(step(model)).toEqual(["x", "base"]);
  expect(step(model)).toEqual(["x"]);
  expect(step(model)).toEqual(["y"]);
});

test("a cold adapter costs its load time once, a warm one less, a resident one nothing", () => {
  const model = new ReplicaModel({ ...parameters, adapters: { ...parameters.adapters, slots: 1 } });
  const durationOf = (id: string, adapter: string): number => {
    model.enqueue(request(id, { adapter, outputTokens: 1, blockHashes: [] }), 0);
    const endsAtMs = model.beginStep(0) ?? 0;
    model.endStep();
    return endsAtMs;
  };
  const cold = durationOf("1", "x");
  const resident = durationOf("2", "x");
  durationOf("3", "y");
  const warm = durationOf("4", "x");
  expect(cold - resident).toBeCloseTo(1000, 6);
  expect(warm - resident).toBeCloseTo(30, 6);
});

test("an abort in the middle of a step frees the blocks when the step ends, and produces no token", () => {
  const model = new ReplicaModel(parameters);
  model.enqueue(request("gone", { outputTokens: 100 }), 0);
  model.beginStep(0);
  model.abort("gone");
  expect(model.endStep()).toEqual([]);
  expect(model.kvFreeBlocks).toBe(64);
  expect(model.beginStep(1)).toBeNull();
});

test("a throttled replica takes proportionally longer", () => {
  const fast = new ReplicaModel(parameters);
  const slow = new ReplicaModel(parameters);
  slow.slowdown = 1.5;
  fast.enqueue(request("a"), 0);
  slow.enqueue(request("a"), 0);
  expect(slow.beginStep(0)).toBeCloseTo(1.5 * (fast.beginStep(0) ?? 0), 9);
});
