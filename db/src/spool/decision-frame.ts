import type {
  Candidate,
  FilteredReplica,
  RejectedDecision,
  RoutedDecision,
} from "@evenkeel/scheduler/decision";
import type { Attempt, DecisionRecord } from "../decision-record.ts";
import type { FrameReader } from "./frame-reader.ts";
import type { FrameWriter } from "./frame-writer.ts";

/** Writes a record, exactly. Runs once per request on the router's own thread: a few microseconds at ten candidates. */
export function writeDecision(into: FrameWriter, record: DecisionRecord): void {
  const { decision } = record;
  into.text(record.id);
  into.text(record.requestId);
  into.word(record.routerId);
  into.word(record.model);
  into.optionalText(record.sessionHash);
  into.number(record.decideUs);
  into.number(record.heldMs);
  into.word(record.outcome);
  into.optionalWord(record.errorCode);
  into.optionalNumber(record.status);
  into.flag(record.isStreaming);
  into.number(record.promptTokensPredicted);
  into.optionalNumber(record.promptTokens);
  into.optionalNumber(record.cachedTokens);
  into.optionalNumber(record.outputTokens);
  into.optionalNumber(record.ttftMs);
  into.optionalNumber(record.itlMs);
  into.number(record.durationMs);
  into.count(record.attempts.length);
  for (const attempt of record.attempts) writeAttempt(into, attempt);
  into.text(decision.requestId === record.id ? "" : decision.requestId);
  into.number(decision.decidedAtMs);
  into.number(decision.policyRevision);
  into.word(decision.strategy);
  into.optionalWord(decision.pool);
  into.optionalWord(decision.arm);
  into.optionalWord(decision.baseModel);
  into.optionalWord(decision.adapter);
  into.count(decision.filtered.length);
  for (const { replica, reason } of decision.filtered) {
    into.word(replica);
    into.word(reason);
  }
  into.count(decision.candidates.length);
  for (const candidate of decision.candidates) writeCandidate(into, candidate);
  into.flag(decision.kind === "routed");
  if (decision.kind === "routed") writeRouted(into, decision);
  else into.word(decision.code);
}

/** Reads a record that `writeDecision` wrote. */
export function readDecisionFrame(from: FrameReader): DecisionRecord {
  const id = from.text();
  const head = {
    id,
    requestId: from.text(),
    routerId: from.word(),
    model: from.word(),
    sessionHash: from.optionalText(),
    decideUs: from.number(),
    heldMs: from.number(),
    outcome: from.word() as DecisionRecord["outcome"], // Casts of words: written from the same types, and checksummed.
    errorCode: from.optionalWord(),
    status: from.optionalNumber(),
    isStreaming: from.flag(),
    promptTokensPredicted: from.number(),
    promptTokens: from.optionalNumber(),
    cachedTokens: from.optionalNumber(),
    outputTokens: from.optionalNumber(),
    ttftMs: from.optionalNumber(),
    itlMs: from.optionalNumber(),
    durationMs: from.number(),
    attempts: from.list(() => readAttempt(from)),
  };
  const common = {
    requestId: from.text() || id,
    decidedAtMs: from.number(),
    policyRevision: from.number(),
    strategy: from.word() as RoutedDecision["strategy"], // As above.
    pool: from.optionalWord(),
    arm: from.optionalWord(),
    baseModel: from.optionalWord(),
    adapter: from.optionalWord(),
    filtered: from.list(() => ({ replica: from.word(), reason: from.word() as FilteredReplica["reason"] })), // As above.
    candidates: from.list(() => readCandidate(from)),
  };
  if (!from.flag()) {
    const code = from.word() as RejectedDecision["code"]; // As above.
    return { ...head, decision: { kind: "rejected", ...common, code } };
  }
  return { ...head, decision: { kind: "routed", ...common, ...readRouted(from) } };
}

function writeCandidate(into: FrameWriter, candidate: Candidate): void {
  into.word(candidate.replica);
  into.number(candidate.cost);
  into.count(candidate.terms.length);
  for (const term of candidate.terms) into.number(term);
  into.number(candidate.predictedTtftMs);
  into.number(candidate.cachedTokens);
  into.number(candidate.inFlight);
  into.optionalNumber(candidate.queueDepth);
  into.optionalNumber(candidate.running);
  into.optionalNumber(candidate.kvOccupancy);
  into.optionalNumber(candidate.signalAgeMs);
  into.count(candidate.notes.length);
  for (const note of candidate.notes) into.word(note);
}

function readCandidate(from: FrameReader): Candidate {
  return {
    replica: from.word(),
    cost: from.number(),
    terms: from.list(() => from.number()),
    predictedTtftMs: from.number(),
    cachedTokens: from.number(),
    inFlight: from.number(),
    queueDepth: from.optionalNumber(),
    running: from.optionalNumber(),
    kvOccupancy: from.optionalNumber(),
    signalAgeMs: from.optionalNumber(),
    notes: from.list(() => from.word() as Candidate["notes"][number]), // As in readDecisionFrame.
  };
}

function writeAttempt(into: FrameWriter, attempt: Attempt): void {
  into.word(attempt.replica);
  into.word(attempt.outcome);
  into.optionalNumber(attempt.status);
  into.number(attempt.durationMs);
}

function readAttempt(from: FrameReader): Attempt {
  return {
    replica: from.word(),
    outcome: from.word() as Attempt["outcome"], // As in readDecisionFrame.
    status: from.optionalNumber(),
    durationMs: from.number(),
  };
}

function writeRouted(into: FrameWriter, decision: RoutedDecision): void {
  into.word(decision.chosen);
  into.word(decision.segment);
  into.word(decision.reason);
  into.number(decision.predictedOutputTokens);
  into.flag(decision.isPanic);
}

function readRouted(from: FrameReader) {
  return {
    chosen: from.word(),
    segment: from.word(),
    reason: from.word() as RoutedDecision["reason"], // As in readDecisionFrame.
    predictedOutputTokens: from.number(),
    isPanic: from.flag(),
  };
}
