import type { DecisionRecord } from "@evenkeel/db/decision-record";
import type { Candidate, RoutedDecision } from "@evenkeel/scheduler/decision";
import { expect, test } from "vitest";
import { decisionHeadline } from "./decision-headline.ts";

const candidate = (replica: string, cost: number): Candidate => ({
  replica,
  cost,
  terms: [cost],
  predictedTtftMs: cost,
  cachedTokens: 0,
  inFlight: 2,
  queueDepth: null,
  running: null,
  kvOccupancy: null,
  signalAgeMs: null,
  notes: [],
});

function record(decision: Partial<RoutedDecision>): DecisionRecord {
  return {
    id: "dec_00000000000000000000000000",
    requestId: "req",
    routerId: "rt-1",
    model: "m",
    sessionHash: null,
    decision: {
      kind: "routed",
      requestId: "req",
      decidedAtMs: 0,
      policyRevision: 1,
      strategy: "predicted-cost",
      pool: null,
      arm: null,
      baseModel: "m",
      adapter: null,
      filtered: [],
      chosen: "r-17",
      segment: "s",
      reason: "kept_pin",
      candidates: [candidate("r-17", 6844), candidate("r-04", 4860)],
      predictedOutputTokens: 10,
      isPanic: false,
      ...decision,
    },
    decideUs: 1,
    heldMs: 0,
    attempts: [],
    outcome: "completed",
    errorCode: null,
    status: 200,
    isStreaming: true,
    promptTokensPredicted: 100,
    promptTokens: null,
    cachedTokens: null,
    outputTokens: null,
    ttftMs: null,
    itlMs: null,
    durationMs: 1,
  };
}

test("a pin that was kept against a cheaper replica says so with the number", () => {
  expect(decisionHeadline(record({})).headline).toBe(
    "r-17 kept its pin; r-04 was predicted 1\u2009984 ms faster.",
  );
});

test("the cheapest replica is ahead of the runner-up", () => {
  const { headline } = decisionHeadline(
    record({ chosen: "a", reason: "shortest_wait", candidates: [candidate("a", 412), candidate("b", 1630)] }),
  );
  expect(headline).toBe("a: shortest wait, 1\u2009218 ms ahead of b.");
});

test("a strategy that does not count milliseconds is not told in milliseconds", () => {
  const { headline } = decisionHeadline(
    record({
      strategy: "least-request",
      chosen: "a",
      reason: "shortest_wait",
      candidates: [candidate("a", 2), candidate("b", 5)],
    }),
  );
  expect(headline).toBe("a: shortest wait, 3 requests before b.");
});

test("a single candidate has nobody to be compared with", () => {
  const { headline } = decisionHeadline(record({ reason: "rotation", candidates: [candidate("r-17", 1)] }));
  expect(headline).toBe("r-17: rotation; it was the only candidate.");
});

test("a rejection leads with the rejection, and says who was left out", () => {
  const base = record({});
  const { headline, sentence } = decisionHeadline({
    ...base,
    decision: {
      kind: "rejected",
      code: "no_replica",
      requestId: "req",
      decidedAtMs: 0,
      policyRevision: 1,
      strategy: "predicted-cost",
      pool: null,
      arm: null,
      baseModel: "m",
      adapter: null,
      filtered: [{ replica: "a", reason: "draining" }],
      candidates: [],
    },
  });
  expect(headline).toBe("Rejected: no replica may take it.");
  expect(sentence).toContain("1 draining");
});
