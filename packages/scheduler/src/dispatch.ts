import type { CacheFinding } from "./cache-book.ts";
import { chunkOverheadMs, prefillWorkMs } from "./cost-shape.ts";
import type { RoutedDecision } from "./decision.ts";
import { promptTokensOf } from "./prediction.ts";
import { tokensOfBlocks } from "./prefix-blocks.ts";
import type { ReplicaId } from "./replica.ts";
import type { ReplicaLedger } from "./replica-ledger.ts";
import type { InferenceRequest } from "./request.ts";
import type { StreamRecord } from "./stream-record.ts";

/** A request on its way to a replica. */
export interface Dispatch {
  /** Names one attempt. A second attempt of the same request needs an id of its own, or the first must have ended. */
  readonly streamId: string;
  readonly replicaId: ReplicaId;
  readonly request: InferenceRequest;
  readonly decision: RoutedDecision;
  readonly nowMs: number;
}

/** The stream's entry in its replica's books, as of its dispatch. */
export function openStreamRecord(
  dispatch: Dispatch,
  ledger: ReplicaLedger,
  found: CacheFinding,
): StreamRecord {
  const { streamId, replicaId, request, decision, nowMs } = dispatch;
  const promptTokens = promptTokensOf(request);
  const candidate = decision.candidates.find((each) => each.replica === replicaId);
  const cachedTokens = Math.max(
    0,
    Math.min(candidate?.cachedTokens ?? found.matchedTokens, promptTokens - 1),
  );
  const uncachedTokens = promptTokens - cachedTokens;
  const { shape } = ledger.segment;
  const decoding = ledger.decoding.count + ledger.silentDecoding;
  return {
    ...found,
    promptTokens,
    id: streamId,
    model: request.model,
    sessionKey: request.sessionKey,
    looseTokens: promptTokens - tokensOfBlocks(request.prefix, request.prefix.count, promptTokens),
    promptUnits: request.prefix.totalUnits,
    isTokenPrompt: request.promptTokensExact,
    uncachedTokens,
    workMs: prefillWorkMs(shape, uncachedTokens, cachedTokens),
    overheadMs: chunkOverheadMs(shape, uncachedTokens, decoding, ledger.contextTokens),
    adapter: decision.adapter,
    adapterLoadMs: decision.adapter === null ? 0 : ledger.adapters.loadMs(decision.adapter),
    dispatchedAtMs: nowMs,
    isStreaming: request.isStreaming,
    assumedFirstTokenAtMs: nowMs + (candidate?.predictedTtftMs ?? 0),
    metEmptyQueue: ledger.prefilling.length === 0,
    metForeignQueue: ledger.foreign(nowMs).queued > 0,
    phase: "prefilling",
    decodingIndex: -1,
    firstTokenAtMs: null,
    lastTokenAtMs: nowMs,
    outputTokens: 0,
    hasUsage: false,
    reportedOutputTokens: null,
    reportedCachedTokens: null,
    sample: null,
    prefix: request.prefix,
  };
}
