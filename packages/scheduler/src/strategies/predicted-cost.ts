import { z } from "zod";
import { rank, toCandidate } from "../candidate.ts";
import type { Candidate, DecisionReason } from "../decision.ts";
import type { ReplicaView } from "../fleet-snapshot.ts";
import { ttftObjectiveMs } from "../objectives.ts";
import { type Prediction, predict } from "../prediction.ts";
import { defineStrategy, type Strategy, type StrategyInput, type StrategyVerdict } from "../strategy.ts";
import { expectedViolations } from "../violations.ts";

/** How the parts of the cost weigh against each other. One set for every workload; not policy. */
export interface CostWeights {
  /** One expected SLO violation, milliseconds. */
  readonly violationMs: number;
  /** Our prefill beside the wait it is to us: it keeps the next one waiting and pushes as much out of the cache. */
  readonly prefillWork: number;
  /** Added to `prefillWork` per token found in caches for each one not found: where caches carry much, misses cost more. */
  readonly pollution: number;
  /** Our prefill to each stream that decodes beside it. */
  readonly slowdown: number;
  /** Steps of our own decode, and what we add to others' steps, against time to first token. */
  readonly decode: number;
  /** Expected violations that are worth waiting out, for a request that has just come. */
  readonly holdAbove: number;
  /** Added to `holdAbove` by the time the slack is used up. */
  readonly holdRamp: number;
  /** Share of the slack that a hold may use. */
  readonly holdSlack: number;
}

export const DEFAULT_WEIGHTS: CostWeights = {
  violationMs: 10_000,
  prefillWork: 1,
  pollution: 0.05,
  slowdown: 0.1,
  decode: 0.1,
  holdAbove: 0.03,
  holdRamp: 0.1,
  holdSlack: 0.6,
};

/** Held requests are looked at again this often. */
const HOLD_TICK_MS = 25;
/** A prefill shorter than this hurts nobody enough to be held. */
const LEAST_HELD_PREFILL_MS = 20;
/** Holding stops when the fleet's mean step, with this much on top, passes this share of the ITL objective. */
const STEP_RESERVE = 1.3;
const OVERLOAD_SHARE = 0.8;
const MOST_POLLUTION = 6;
const MOST_ROOM_MS = 20_000;
/** Steps until a request in the way is over and its KV blocks are free. */
const ROOM_STEPS = 60;

const params = z.object({
  holding: z
    .boolean()
    .default(true)
    .describe(
      "Whether a request may wait in the router while every replica would hurt someone now and its own TTFT objective has slack.",
    ),
});

/**
 * Predicts what sending the request to each replica would cost, in milliseconds: to itself, and to everyone on the
 * replica. Lowest cost wins; when even that would probably break somebody's objective and waiting would not break ours,
 * the request is held.
 */
export const predictedCost = defineStrategy({
  type: "predicted-cost",
  title: "Predicted cost",
  help: "Predicts in milliseconds what each replica would cost this request and everyone already there; lowest wins.",
  terms: [
    { name: "wait", unit: "ms", help: "Prefills ahead of this request on the replica." },
    { name: "prefill", unit: "ms", help: "Prefill of the prompt tokens the replica does not have cached." },
    {
      name: "adapter",
      unit: "ms",
      help: "Loading the adapter, waiting for a slot, and who misses what it pushes out.",
    },
    { name: "transfer", unit: "ms", help: "Moving the KV cache from prefill to decode." },
    { name: "decode", unit: "ms", help: "Steps of this request's own decode." },
    {
      name: "work",
      unit: "ms",
      help: "What the prefill and the context take from others: compute, cache, longer steps, KV room.",
    },
    {
      name: "harm",
      unit: "ms",
      help: "Expected broken objectives, its own and those of streams already there.",
    },
  ],
  params,
  build: ({ holding }) => new PredictedCost(holding, DEFAULT_WEIGHTS),
});

interface Rated {
  readonly candidate: Candidate;
  readonly prediction: Prediction;
  /** Expected violations among the streams on the replica. */
  readonly harm: number;
}

/** The strategy with weights of its own, for studies; the catalog builds it with the default ones. */
export class PredictedCost implements Strategy {
  readonly type = "predicted-cost";
  readonly #holding: boolean;
  readonly #weights: CostWeights;

  constructor(holding: boolean, weights: CostWeights) {
    this.#holding = holding;
    this.#weights = weights;
  }

  decide(input: StrategyInput): StrategyVerdict {
    const rated = input.candidates.map((view) => this.#rate(view, input));
    const candidates = rank(
      rated.map((each) => each.candidate),
      input.rng,
    );
    const best = rated.find((each) => each.candidate === candidates[0]);
    if (best !== undefined && this.#shouldHold(best, rated, input)) {
      return { kind: "hold", untilMs: input.nowMs + HOLD_TICK_MS, candidates };
    }
    return { kind: "ranked", candidates, reason: reasonFor(candidates) };
  }

  #rate(view: ReplicaView, input: StrategyInput): Rated {
    const { request, nowMs, objectives, signals } = input;
    const weights = this.#weights;
    const prediction = predict(view, request, signals, nowMs);
    const { waitMs, ownMs, stepMs, decoding, promptTokens } = prediction;
    const { shape, outputLengths, hitShare } = view.segment;
    const outlook = signals.adapter?.outlook[view.slot];
    const loadMs = outlook === undefined ? 0 : outlook.loadMs + outlook.slotWaitMs;
    const adapterMs = outlook === undefined ? 0 : loadMs + outlook.evictionMs;
    const outputTokens = Math.min(
      outputLengths.meanTokens,
      request.maxOutputTokens ?? Number.POSITIVE_INFINITY,
    );
    const stepWeight = weights.decode * outputTokens;
    const addedStepMs =
      view.stepFactor(nowMs) * (shape.perSequenceUs / 1e3 + (shape.perContextTokenNs * promptTokens) / 1e6);
    const prefillWork =
      weights.prefillWork +
      Math.min(MOST_POLLUTION, weights.pollution * (hitShare / Math.max(1e-3, 1 - hitShare)));
    const stallMs = ownMs + (outlook?.loadMs ?? 0);
    const harm = expectedViolations(view, waitMs, stallMs, stepMs, objectives.itlMs, nowMs);
    const ttftMs = Math.max(0, nowMs - request.arrivedAtMs) + waitMs + stallMs;
    const late = Math.min(1, Math.max(0, (ttftMs / ttftObjectiveMs(objectives, promptTokens) - 0.7) / 0.4));
    const slow = Math.max(0, (STEP_RESERVE * stepMs) / objectives.itlMs - 0.7) ** 2;
    const decodeMs = stepWeight * stepMs;
    const workMs =
      prefillWork * ownMs +
      weights.slowdown * stallMs * decoding +
      stepWeight * decoding * addedStepMs +
      roomMs(view, prediction);
    const harmMs = weights.violationMs * (harm + late + slow);
    const terms = [waitMs, ownMs, adapterMs, 0, decodeMs, workMs, harmMs];
    const cost = waitMs + ownMs + adapterMs + decodeMs + workMs + harmMs;
    return { candidate: toCandidate(view, { cost, terms }, prediction, input, loadMs), prediction, harm };
  }

  #shouldHold(best: Rated, rated: readonly Rated[], input: StrategyInput): boolean {
    if (!this.#holding || input.isRetry) return false;
    const { ownMs, waitMs, promptTokens } = best.prediction;
    if (ownMs <= LEAST_HELD_PREFILL_MS) return false;
    const slackMs = ttftObjectiveMs(input.objectives, promptTokens) - waitMs - ownMs;
    const usedShare = (input.nowMs - input.request.arrivedAtMs) / (this.#weights.holdSlack * slackMs);
    if (!(slackMs > 0 && usedShare >= 0 && usedShare < 1)) return false;
    if (best.harm <= this.#weights.holdAbove + this.#weights.holdRamp * usedShare ** 2) return false;
    let stepSumMs = 0;
    for (const each of rated) stepSumMs += each.prediction.stepMs;
    return STEP_RESERVE * (stepSumMs / rated.length) <= OVERLOAD_SHARE * input.objectives.itlMs;
  }
}

/**
 * Price of KV blocks that are not there: time until enough of the requests in the way are over. Blocks of shared
 * prefixes count once, with whoever brought them.
 */
function roomMs(view: ReplicaView, prediction: Prediction): number {
  const missing = prediction.uncachedTokens - (view.kvCapacityTokens - view.ownKvTokens);
  if (missing <= 0) return 0;
  const perRequest = Math.max(1, view.ownKvTokens / Math.max(1, view.inFlight));
  return Math.min(MOST_ROOM_MS, (missing / perRequest) * prediction.stepMs * ROOM_STEPS);
}

function reasonFor(candidates: readonly Candidate[]): DecisionReason {
  const chosen = candidates[0];
  if (chosen === undefined || chosen.cachedTokens === 0) return "shortest_wait";
  const most = candidates.reduce((max, each) => Math.max(max, each.cachedTokens), 0);
  const least = candidates.reduce((min, each) => Math.min(min, each.cachedTokens), most);
  return chosen.cachedTokens > least && chosen.cachedTokens >= 0.5 * most ? "prefix_match" : "shortest_wait";
}
