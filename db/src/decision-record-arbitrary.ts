import {
  type Candidate,
  DECISION_REASONS,
  type Decision,
  FILTER_REASONS,
  REJECT_CODES,
  SIGNAL_NOTES,
} from "@evenkeel/scheduler/decision";
import { STRATEGY_TYPES } from "@evenkeel/scheduler/strategy";
import fc from "fast-check";
import { decisionId } from "./decision-id.ts";
import { ATTEMPT_OUTCOMES, DECISION_OUTCOMES, type DecisionRecord } from "./decision-record.ts";

/** Names as they come: any characters, but no lone surrogates and no NUL, which text in Postgres cannot hold. */
const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((text) => !text.includes("\u0000"));
const optionalName = fc.option(name);
/** A 32-bit float; adding zero turns -0, which text does not tell apart, into 0. */
const millis = fc.float({ noNaN: true }).map((value) => value + 0);
const count = fc.nat();
const notes = fc.subarray([...SIGNAL_NOTES]);

const candidate = (termCount: number): fc.Arbitrary<Candidate> =>
  fc.record({
    replica: name,
    cost: millis,
    terms: fc.array(millis, { minLength: termCount, maxLength: termCount }),
    predictedTtftMs: millis,
    cachedTokens: fc.maxSafeNat(),
    inFlight: count,
    queueDepth: fc.option(count),
    running: fc.option(count),
    kvOccupancy: fc.option(fc.float({ min: 0, max: 1, noNaN: true })),
    signalAgeMs: fc.option(millis),
    notes,
  });

const context = {
  requestId: name,
  policyRevision: count,
  strategy: fc.constantFrom(...STRATEGY_TYPES),
  pool: optionalName,
  arm: optionalName,
  adapter: optionalName,
  filtered: fc.array(fc.record({ replica: name, reason: fc.constantFrom(...FILTER_REASONS) }), {
    maxLength: 5,
  }),
};

function routed(
  decidedAtMs: number,
  maxCandidates: number,
): fc.Arbitrary<Exclude<Decision, { kind: "held" }>> {
  return fc
    .nat({ max: 7 })
    .chain((terms) => fc.array(candidate(terms), { minLength: 1, maxLength: maxCandidates }))
    .chain((candidates) =>
      fc.record({
        kind: fc.constant("routed" as const),
        ...context,
        decidedAtMs: fc.constant(decidedAtMs),
        baseModel: optionalName,
        candidates: fc.constant(candidates),
        chosen: fc.constant(candidates[0]?.replica ?? ""),
        segment: name,
        reason: fc.constantFrom(...DECISION_REASONS),
        predictedOutputTokens: millis,
        isPanic: fc.boolean(),
      }),
    );
}

function rejected(decidedAtMs: number): fc.Arbitrary<Exclude<Decision, { kind: "held" }>> {
  return fc.record({
    kind: fc.constant("rejected" as const),
    ...context,
    decidedAtMs: fc.constant(decidedAtMs),
    baseModel: optionalName,
    candidates: fc.array(candidate(2), { maxLength: 3 }),
    code: fc.constantFrom(...REJECT_CODES),
  });
}

/** Any record whose computed numbers are 32-bit floats, as the store keeps them. */
export function anyDecisionRecord(maxCandidates = 12): fc.Arbitrary<DecisionRecord> {
  const attempt = fc.record({
    replica: name,
    outcome: fc.constantFrom(...ATTEMPT_OUTCOMES),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    durationMs: millis,
  });
  return fc
    .record({
      // Two days only: each day costs a partition.
      timeMs: fc.integer({ min: Date.UTC(2026, 5, 1), max: Date.UTC(2026, 5, 2, 23) }),
      offsetMs: fc.oneof(fc.constant(0), fc.integer({ min: -5000, max: 60_000 }), fc.constant(0.25)),
      random: fc.uint8Array({ minLength: 10, maxLength: 10 }),
    })
    .chain(({ timeMs, offsetMs, random }) =>
      fc.record({
        id: fc.constant(decisionId(timeMs, random)),
        requestId: fc.oneof(name, fc.uuid()),
        routerId: name,
        model: name,
        sessionHash: optionalName,
        decision: fc.oneof(
          { weight: 4, arbitrary: routed(timeMs + offsetMs, maxCandidates) },
          rejected(timeMs + offsetMs),
        ),
        decideUs: millis,
        heldMs: fc.oneof(fc.constant(0), millis),
        attempts: fc.array(attempt, { maxLength: 4 }),
        outcome: fc.constantFrom(...DECISION_OUTCOMES),
        errorCode: optionalName,
        status: fc.option(fc.integer({ min: 100, max: 599 })),
        isStreaming: fc.boolean(),
        promptTokensPredicted: millis,
        promptTokens: fc.option(count),
        cachedTokens: fc.option(count),
        outputTokens: fc.option(count),
        ttftMs: fc.option(millis),
        itlMs: fc.option(millis),
        durationMs: millis,
      }),
    );
}
