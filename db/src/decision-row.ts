import { type DecisionContextRow, decisionContextOf } from "./decision-context.ts";
import { encodeDecisionDetail } from "./decision-detail.ts";
import { decisionIdTimeMs, decisionIdToUuid } from "./decision-id.ts";
import type { DecisionRecord } from "./decision-record.ts";
import { storableText } from "./storable-text.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A record laid out as its row of `decisions`, replicas and router still by id. */
export interface DecisionRow {
  readonly record: DecisionRecord;
  readonly context: DecisionContextRow;
  readonly decidedAt: string;
  readonly decidedOffsetMs: number | null;
  readonly uuid: string;
  readonly routerId: string;
  readonly chosen: string | null;
  readonly predictedTtftMs: number | null;
  readonly margin: number | null;
  readonly predictedOutputTokens: number | null;
  readonly requestUuid: string | null;
  readonly requestId: string | null;
  readonly streamId: string | null;
  readonly sessionHash: string | null;
  readonly unknownModel: string | null;
  readonly candidates: readonly string[];
  readonly otherReplicas: readonly string[];
  /** In hex. */
  readonly detail: string;
}

/** @throws RangeError when the record's id is not a decision id. */
export function decisionRowOf(record: DecisionRecord): DecisionRow {
  const { decision } = record;
  const routed = decision.kind === "routed" ? decision : null;
  const idMs = decisionIdTimeMs(record.id);
  const candidates = decision.candidates.map((candidate) => storableText(candidate.replica));
  const filtered = decision.filtered.map((replica) => storableText(replica.replica));
  const positions = new Positions([...candidates, ...filtered]);
  const attempts = record.attempts.map((attempt) => ({
    position: positions.of(storableText(attempt.replica)),
    outcome: attempt.outcome,
    status: attempt.status,
    durationMs: attempt.durationMs,
  }));
  const detail = encodeDecisionDetail({
    candidates: decision.candidates,
    filtered: decision.filtered.map((replica) => replica.reason),
    attempts,
  });
  const requestId = storableText(record.requestId);
  const isUuid = UUID.test(requestId);
  return {
    record,
    context: decisionContextOf(record),
    decidedAt: new Date(idMs).toISOString(),
    decidedOffsetMs: decision.decidedAtMs === idMs ? null : decision.decidedAtMs - idMs,
    uuid: decisionIdToUuid(record.id),
    routerId: storableText(record.routerId),
    chosen: routed ? storableText(routed.chosen) : null,
    predictedTtftMs: routed?.candidates[0]?.predictedTtftMs ?? null,
    margin: routed ? marginOf(routed.candidates.map((candidate) => candidate.cost)) : null,
    predictedOutputTokens: routed?.predictedOutputTokens ?? null,
    requestUuid: isUuid ? requestId : null,
    requestId: isUuid ? null : requestId,
    streamId: decision.requestId === record.id ? null : storableText(decision.requestId),
    sessionHash: record.sessionHash === null ? null : storableText(record.sessionHash),
    unknownModel: decision.baseModel === null ? storableText(record.model) : null,
    candidates,
    otherReplicas: positions.all().slice(candidates.length),
    detail: Buffer.from(detail).toString("hex"),
  };
}

/** How much the best replica not chosen would have cost more. */
function marginOf(costs: readonly number[]): number | null {
  const [chosen, ...others] = costs;
  if (chosen === undefined || others.length === 0) return null;
  return others.reduce((least, cost) => Math.min(least, cost)) - chosen;
}

/** Replicas of a row by position; one that is asked for and missing is appended. */
class Positions {
  readonly #ids: string[];
  readonly #positions = new Map<string, number>();

  constructor(ids: readonly string[]) {
    this.#ids = [...ids];
    for (const [position, id] of ids.entries())
      if (!this.#positions.has(id)) this.#positions.set(id, position);
  }

  of(id: string): number {
    const known = this.#positions.get(id);
    if (known !== undefined) return known;
    this.#positions.set(id, this.#ids.length);
    return this.#ids.push(id) - 1;
  }

  all(): readonly string[] {
    return this.#ids;
  }
}
