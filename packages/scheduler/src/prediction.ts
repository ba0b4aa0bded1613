import { chunkOverheadMs, prefillWorkMs, stepMs } from "./cost-shape.ts";
import type { ReplicaView } from "./fleet-snapshot.ts";
import type { InferenceRequest } from "./request.ts";
import type { RequestSignals } from "./signals.ts";

/** No request is longer than this many tokens to the arithmetic. */
const MOST_PROMPT_TOKENS = 100_000_000;
/** A prefill at the head of the queue is never taken to be more than this far along. */
const MOST_PROGRESS = 0.9;

/** What would happen to a request on one replica if it were sent there now. Milliseconds and tokens. */
export interface Prediction {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly uncachedTokens: number;
  /** Prefills ahead of ours, loads of adapters included. */
  readonly waitMs: number;
  /** Our own prefill. */
  readonly ownMs: number;
  /** A decode step there with us in it and no prefill running. */
  readonly stepMs: number;
  /** Sequences that would decode beside us: ours and others'. */
  readonly decoding: number;
  /** How many times slower than its shape the replica prefills. */
  readonly prefillFactor: number;
  /** How many times slower than its shape the replica decodes. */
  readonly stepFactor: number;
}

/** Where a prediction is written: one object serves a whole decision, as a thousand would be a third of its time. */
export class PredictionScratch implements Prediction {
  promptTokens = 0.5;
  cachedTokens = 0.5;
  uncachedTokens = 0.5;
  waitMs = 0.5;
  ownMs = 0.5;
  stepMs = 0.5;
  decoding = 0.5;
  prefillFactor = 0.5;
  stepFactor = 0.5;
}

/**
 * Predicts a request on a replica from this router's own books: nothing scraped is needed. Load of others, when it is
 * known, adds to the queue and to the batch.
 * @param into overwritten and returned.
 */
export function predict(
  view: ReplicaView,
  request: InferenceRequest,
  signals: RequestSignals,
  nowMs: number,
  into: PredictionScratch = new PredictionScratch(),
): Prediction {
  const { shape } = view.segment;
  const promptTokens = promptTokensOf(request);
  const cachedTokens = cachedTokensOn(view, promptTokens, signals);
  const uncachedTokens = promptTokens - cachedTokens;
  const prefillFactor = view.prefillFactor(nowMs);
  const stepFactor = view.stepFactor(nowMs);
  const foreign = view.foreign(nowMs);
  const decoding = view.decoding.count + view.silentDecoding + foreign.running;
  const queued = view.prefilling.length + foreign.queued;
  const contextTokens = view.contextTokens + (foreign.contextTokens ?? foreign.running * promptTokens);
  const oneStepMs = stepFactor * stepMs(shape, decoding + queued + 1, contextTokens + promptTokens);
  const foreignWaitMs = foreign.waitMs ?? foreign.queued * prefillFactor * view.segment.meanPrefillMs;
  // Whatever runs there, a step is under way.
  const stepLeftMs = decoding > 0 ? oneStepMs / 2 : 0;
  into.promptTokens = promptTokens;
  into.cachedTokens = cachedTokens;
  into.uncachedTokens = uncachedTokens;
  into.waitMs = foreignWaitMs + Math.max(stepLeftMs, prefillAheadMs(view, prefillFactor, stepFactor, nowMs));
  into.ownMs =
    prefillFactor * prefillWorkMs(shape, uncachedTokens, cachedTokens) +
    stepFactor * chunkOverheadMs(shape, uncachedTokens, decoding, contextTokens);
  into.stepMs = oneStepMs;
  into.decoding = decoding;
  into.prefillFactor = prefillFactor;
  into.stepFactor = stepFactor;
  return into;
}

/** Prompt length as the arithmetic uses it: finite and at least one token. */
export function promptTokensOf(request: InferenceRequest): number {
  const { promptTokens } = request;
  return promptTokens >= 1 ? Math.min(promptTokens, MOST_PROMPT_TOKENS) : 1;
}

/** Tokens of the prompt that a replica should have cached; engines compute at least the last one. */
export function cachedTokensOn(view: ReplicaView, promptTokens: number, signals: RequestSignals): number {
  const matched = signals.matchedTokens[view.slot] ?? 0;
  if (!(matched > 0)) return 0;
  return Math.min(matched * Math.min(1, view.cacheCalibration), promptTokens - 1);
}

/** Time until everything of ours that is prefilling there has its first token, at the given speed factors. */
export function prefillAheadMs(
  view: ReplicaView,
  prefillFactor: number,
  stepFactor: number,
  nowMs: number,
): number {
  const head = view.prefilling[0];
  if (head === undefined) return 0;
  const { workMs, overheadMs, adapterLoadMs } = view.prefillingSum;
  const sumMs = prefillFactor * workMs + stepFactor * overheadMs + adapterLoadMs;
  const headMs = prefillFactor * head.workMs + stepFactor * head.overheadMs + head.adapterLoadMs;
  const progressMs = Math.max(0, nowMs - view.prefillAnchorMs);
  return Math.max(0, sumMs - Math.min(progressMs, MOST_PROGRESS * headMs));
}
