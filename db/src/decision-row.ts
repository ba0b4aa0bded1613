import { type DecisionContext, decisionContextOf } from "./decision-context.ts";
import { encodeDecisionDetail } from "./decision-detail.ts";
import { decisionIdTimeMs, decisionIdToUuid } from "./decision-id.ts";
import type { DecisionRecord } from "./decision-record.ts";
import { storableText } from "./storable-text.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A record laid out as its row of `decisions`, replicas and router still by id. */
export interface DecisionRow {
  readonly record: DecisionRecord;
  readonly context: DecisionContext;
  /** The time inside the id: `decided_at`. */
  readonly idMs: number;
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
  /** Every replica the row speaks of, sorted, each once; `detail` names them by their position in the stored set. */
  readonly replicas: readonly string[];
  readonly filtered: readonly string[];
}

/** @throws RangeError when the record's id is not a decision id. */
export function decisionRowOf(record: DecisionRecord): DecisionRow {
  const { decision } = record;
  const routed = decision.kind === "routed" ? decision : null;
  const idMs = decisionIdTimeMs(record.id);
  const requestId = storableText(record.requestId);
  const isUuid = UUID.test(requestId);
  return {
    record,
    context: decisionContextOf(record),
    idMs,
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
    replicas: replicasOf(record),
    filtered: decision.filtered.map((each) => storableText(each.replica)),
  };
}

/** The row's detail in hex, with replicas named by their position in its set. */
export function detailHexOf(record: DecisionRecord, positionOf: (replica: string) => number): string {
  const { candidates, filtered } = record.decision;
  const detail = encodeDecisionDetail({ candidates, filtered, attempts: record.attempts }, (replica) =>
    positionOf(storableText(replica)),
  );
  return Buffer.from(detail.buffer, detail.byteOffset, detail.byteLength).toString("hex");
}

function replicasOf(record: DecisionRecord): readonly string[] {
  const { decision } = record;
  const ids = new Set<string>();
  for (const { replica } of decision.candidates) ids.add(replica);
  for (const { replica } of decision.filtered) ids.add(replica);
  for (const { replica } of record.attempts) ids.add(replica);
  if (decision.kind === "routed") ids.add(decision.chosen);
  const storable = new Set<string>();
  for (const id of ids) storable.add(storableText(id));
  return [...storable].sort();
}

/** How much the best replica not chosen would have cost more. */
function marginOf(costs: readonly number[]): number | null {
  const [chosen, ...others] = costs;
  if (chosen === undefined || others.length === 0) return null;
  return others.reduce((least, cost) => Math.min(least, cost)) - chosen;
}
