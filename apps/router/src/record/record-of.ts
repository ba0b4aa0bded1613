import type { DecisionRecord } from "@evenkeel/db/decision-record";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import type { Decided } from "../decide.ts";
import { meanGapMs } from "../fleet/fleet.ts";
import type { ForwardResult } from "../forward/forward.ts";

export interface Finished {
  /** HTTP status sent to the client, null when it left before one was. */
  readonly status: number | null;
  readonly requestId: string;
  readonly arrivedAtMs: number;
  readonly routerId: string;
  readonly request: InferenceRequest;
  readonly decided: Decided;
  readonly result: ForwardResult;
  readonly endedAtMs: number;
}

const MAX_MODEL_LENGTH = 256;

/** The row kept of one request: the decision with all candidates, and what came of it. */
export function recordOf(finished: Finished): DecisionRecord {
  const { arrivedAtMs, request, decided, result } = finished;
  const { observation } = result;
  const tokens = observation?.usage?.outputTokens ?? observation?.tokenEvents ?? 0;
  const firstAtMs = observation?.firstTokenAtMs ?? null;
  return {
    id: request.id,
    requestId: finished.requestId,
    routerId: finished.routerId,
    model: request.model.slice(0, MAX_MODEL_LENGTH),
    sessionHash: request.sessionKey,
    decision: decided.decision,
    decideUs: decided.decideUs,
    heldMs: decided.heldMs,
    attempts: result.attempts,
    outcome: result.outcome,
    errorCode: result.errorCode,
    status: finished.status,
    isStreaming: request.isStreaming,
    promptTokensPredicted: request.promptTokens,
    promptTokens: observation?.usage?.promptTokens ?? null,
    cachedTokens: observation?.usage?.cachedTokens ?? null,
    outputTokens: observation?.usage?.outputTokens ?? null,
    ttftMs: firstAtMs === null ? null : firstAtMs - arrivedAtMs,
    itlMs: firstAtMs === null ? null : meanGapMs(firstAtMs, observation?.lastTokenAtMs ?? null, tokens),
    durationMs: finished.endedAtMs - arrivedAtMs,
  };
}
