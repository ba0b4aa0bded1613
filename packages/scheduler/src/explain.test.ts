import { expect, test } from "vitest";
import type { Candidate, RoutedDecision } from "./decision.ts";
import { explainDecision } from "./explain.ts";

function candidate(
  replica: string,
  cost: number,
  terms: readonly number[],
  over: Partial<Candidate> = {},
): Candidate {
  return {
    replica,
    cost,
    terms,
    predictedTtftMs: 0,
    cachedTokens: 0,
    inFlight: 1,
    queueDepth: null,
    running: null,
    kvOccupancy: null,
    signalAgeMs: null,
    notes: [],
    ...over,
  };
}

const DECISION: RoutedDecision = {
  kind: "routed",
  requestId: "q",
  decidedAtMs: 0,
  policyRevision: 1,
  strategy: "predicted-cost",
  pool: null,
  arm: null,
  baseModel: "m",
  adapter: null,
  filtered: [],
  chosen: "r3",
  segment: "s",
  reason: "prefix_match",
  candidates: [
    candidate("r3", 412, [160, 252, 0, 0, 0, 0, 0], { cachedTokens: 14_100 }),
    candidate("r1", 1630.4, [0, 1600, 0, 0, 20, 10.4, 0], { cachedTokens: 1800, inFlight: 0 }),
  ],
  predictedOutputTokens: 200,
  isPanic: false,
};

test("the sentence names the chosen replica's cost and its parts against the runner-up's", () => {
  expect(explainDecision(DECISION, 16_000)).toBe(
    "r3: 412 ms (wait 160, prefill 252 of 1\u2009900 uncached tokens) against r1: 1\u2009630 ms (idle, prefill 1\u2009600 of 14\u2009200 uncached tokens).",
  );
});

test("a single candidate is said to be the only one, with what was left out and why", () => {
  const decision: RoutedDecision = {
    ...DECISION,
    candidates: DECISION.candidates.slice(0, 1),
    filtered: [
      { replica: "r1", reason: "draining" },
      { replica: "r2", reason: "draining" },
    ],
  };
  expect(explainDecision(decision, null)).toBe(
    "r3: 412 ms (wait 160, prefill 252): the only candidate. Left out: 2 draining.",
  );
});

test("panic mode, holding and rejection are said", () => {
  expect(explainDecision({ ...DECISION, isPanic: true }, null)).toContain("Panic mode");
  const held = { ...DECISION, kind: "held" as const, untilMs: 25, wouldChoose: "r3" };
  expect(explainDecision(held, null)).toContain("Held");
  const rejected = { ...DECISION, kind: "rejected" as const, code: "saturated" as const, candidates: [] };
  expect(explainDecision(rejected, null)).toContain("in-flight limit");
});

test("a strategy with one term is explained by its cost alone", () => {
  const decision: RoutedDecision = {
    ...DECISION,
    strategy: "least-request",
    candidates: [candidate("r1", 2, [2]), candidate("r2", 5, [5])],
  };
  expect(explainDecision(decision, 100)).toBe("r1: 2 requests against r2: 5 requests.");
});

test("a session that stayed although another replica was cheaper is said to have kept its pin, with what moving would save", () => {
  const decision: RoutedDecision = {
    ...DECISION,
    reason: "kept_pin",
    candidates: [
      candidate("r3", 500, [500, 0, 0, 0, 0, 0, 0]),
      candidate("r1", 380, [0, 380, 0, 0, 0, 0, 0]),
    ],
  };
  expect(explainDecision(decision, null)).toContain("Kept its pin: moving would save 120 ms");
  expect(explainDecision({ ...decision, reason: "shortest_wait" }, null)).not.toContain("pin");
});
