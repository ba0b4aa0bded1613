import { z } from "zod";
import { rank, toCandidate } from "../candidate.ts";
import type { Candidate, DecisionReason } from "../decision.ts";
import type { ReplicaView } from "../fleet-snapshot.ts";
import { ttftObjectiveMs } from "../objectives.ts";
import { type Prediction, PredictionScratch, predict } from "../prediction.ts";
import type { ReplicaId } from "../replica.ts";
import type { RequestSignals } from "../signals.ts";
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

/** What a rating found out beside the candidate; one object serves a whole decision. */
class RatingScratch extends PredictionScratch {
  /** Expected violations among the streams on the replica. */
  harm = 0.5;
  roomMs = 0.5;
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
    const views = input.candidates;
    const scratch = new RatingScratch();
    let stepSumMs = 0;
    const rated = views.map((view) => {
      const candidate = this.#rate(view, input, scratch);
      stepSumMs += scratch.stepMs;
      return candidate;
    });
    const ranked = rank(rated, input.rng);
    const keepsPin = this.#keepsPin(ranked, input);
    const candidates = keepsPin ? broughtForward(ranked, input.signals.pin?.replica) : ranked;
    const chosen = views.find((view) => view.id === candidates[0]?.replica);
    if (chosen !== undefined) this.#rate(chosen, input, scratch);
    if (this.#shouldHold(scratch, stepSumMs / views.length, input)) {
      return { kind: "hold", untilMs: input.nowMs + HOLD_TICK_MS, candidates };
    }
    return { kind: "ranked", candidates, reason: keepsPin ? "kept_pin" : reasonFor(candidates, input) };
  }

  #rate(view: ReplicaView, input: StrategyInput, into: RatingScratch): Candidate {
    const { request, nowMs, objectives, signals } = input;
    const weights = this.#weights;
    predict(view, request, signals, nowMs, into);
    const { waitMs, ownMs, stepMs, decoding, promptTokens } = into;
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
      into.stepFactor * (shape.perSequenceUs / 1e3 + (shape.perContextTokenNs * promptTokens) / 1e6);
    const prefillWork =
      weights.prefillWork +
      Math.min(MOST_POLLUTION, weights.pollution * (hitShare / Math.max(1e-3, 1 - hitShare)));
    const stallMs = ownMs + (outlook?.loadMs ?? 0);
    const harm = expectedViolations(view, into, stallMs, objectives.itlMs, nowMs);
    const ttftMs = Math.max(0, nowMs - request.arrivedAtMs) + waitMs + stallMs;
    const late = Math.min(1, Math.max(0, (ttftMs / ttftObjectiveMs(objectives, promptTokens) - 0.7) / 0.4));
    const slow = Math.max(0, (STEP_RESERVE * stepMs) / objectives.itlMs - 0.7) ** 2;
    const waitForRoomMs = roomMs(view, into, signals);
    const decodeMs = stepWeight * stepMs;
    const workMs =
      prefillWork * ownMs +
      weights.slowdown * stallMs * decoding +
      stepWeight * decoding * addedStepMs +
      waitForRoomMs;
    const harmMs = weights.violationMs * (harm + late + slow);
    into.harm = harm;
    into.roomMs = waitForRoomMs;
    const terms = [waitMs, ownMs, adapterMs, 0, decodeMs, workMs, harmMs];
    const cost = waitMs + ownMs + adapterMs + decodeMs + workMs + harmMs;
    return toCandidate(view, { cost, terms }, into, input, loadMs);
  }

  /**
   * Whether a session stays where it is although another replica may be cheaper: it moves when that saves more than a
   * margin, and not again within the dwell time unless its replica has no room.
   */
  #keepsPin(ranked: readonly Candidate[], input: StrategyInput): boolean {
    const { pin } = input.signals;
    const cheapest = ranked[0];
    const pinned = pin === null ? undefined : ranked.find((each) => each.replica === pin.replica);
    if (pin === null || pinned === undefined || cheapest === undefined) return false;
    if (pinned === cheapest) return true;
    const rateAgain = ({ replica }: Candidate): RatingScratch => {
      const scratch = new RatingScratch();
      const view = input.candidates.find((each) => each.id === replica);
      if (view !== undefined) this.#rate(view, input, scratch);
      return scratch;
    };
    const isSettling = pin.moves > 0 && input.nowMs - pin.sinceMs < input.pinRules.dwellMs;
    if (isSettling && rateAgain(pinned).roomMs === 0) return true;
    return pinned.cost - cheapest.cost <= input.pinRules.moveMargin * rateAgain(cheapest).ownMs;
  }

  /**
   * @param best how the chosen replica was rated. @param meanStepMs over all candidates: a fleet near its limit does not
   * get better by waiting.
   */
  #shouldHold(best: RatingScratch, meanStepMs: number, input: StrategyInput): boolean {
    if (!this.#holding || input.isRetry) return false;
    const { ownMs, waitMs, promptTokens, harm } = best;
    if (ownMs <= LEAST_HELD_PREFILL_MS) return false;
    const slackMs = ttftObjectiveMs(input.objectives, promptTokens) - waitMs - ownMs;
    const usedShare = (input.nowMs - input.request.arrivedAtMs) / (this.#weights.holdSlack * slackMs);
    if (!(slackMs > 0 && usedShare >= 0 && usedShare < 1)) return false;
    if (harm <= this.#weights.holdAbove + this.#weights.holdRamp * usedShare ** 2) return false;
    return STEP_RESERVE * meanStepMs <= OVERLOAD_SHARE * input.objectives.itlMs;
  }
}

/**
 * Price of KV blocks that are not there: time until enough of the requests in the way are over. Blocks of shared
 * prefixes count once, with whoever brought them.
 */
function roomMs(view: ReplicaView, prediction: Prediction, signals: RequestSignals): number {
  const inUse = view.ownKvTokens + view.usedPrefixTokens;
  const missing =
    prediction.promptTokens - (signals.usedTokens[view.slot] ?? 0) - (view.kvCapacityTokens - inUse);
  if (missing <= 0) return 0;
  const perRequest = Math.max(1, inUse / Math.max(1, view.inFlight));
  return Math.min(MOST_ROOM_MS, (missing / perRequest) * prediction.stepMs * ROOM_STEPS);
}

function broughtForward(ranked: readonly Candidate[], replica: ReplicaId | undefined): Candidate[] {
  const chosen = ranked.filter((each) => each.replica === replica);
  return [...chosen, ...ranked.filter((each) => each.replica !== replica)];
}

function reasonFor(
  candidates: readonly Candidate[],
  { signals, candidates: views }: StrategyInput,
): DecisionReason {
  const chosen = candidates[0];
  if (chosen === undefined) return "shortest_wait";
  if (signals.adapter !== null) {
    const view = views.find((each) => each.id === chosen.replica);
    const loads = signals.adapter.outlook.filter((each) => each !== undefined).map((each) => each.loadMs);
    const ownLoad = view === undefined ? undefined : signals.adapter.outlook[view.slot]?.loadMs;
    if (ownLoad === 0 && loads.some((ms) => ms > 0)) return "adapter_resident";
  }
  const most = candidates.reduce((max, each) => Math.max(max, each.cachedTokens), 0);
  const least = candidates.reduce((min, each) => Math.min(min, each.cachedTokens), most);
  const hasMore = chosen.cachedTokens > least && chosen.cachedTokens >= 0.5 * most;
  return hasMore ? "prefix_match" : "shortest_wait";
}
