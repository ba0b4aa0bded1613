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
  readonly roomMs: number;
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
    const ranked = rank(
      rated.map((each) => each.candidate),
      input.rng,
    );
    const cheapest = rated.find((each) => each.candidate === ranked[0]);
    if (cheapest === undefined) return { kind: "ranked", candidates: ranked, reason: "shortest_wait" };
    const pinned = rated.find((each) => each.candidate.replica === input.signals.pin?.replica);
    const keepsPin = pinned !== undefined && staysPinned(pinned, cheapest, input);
    const chosen = keepsPin ? pinned : cheapest;
    const candidates = chosen === cheapest ? ranked : broughtForward(ranked, chosen.candidate);
    if (this.#shouldHold(chosen, rated, input)) {
      return { kind: "hold", untilMs: input.nowMs + HOLD_TICK_MS, candidates };
    }
    return { kind: "ranked", candidates, reason: keepsPin ? "kept_pin" : reasonFor(candidates, input) };
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
    const waitForRoomMs = roomMs(view, prediction);
    const decodeMs = stepWeight * stepMs;
    const workMs =
      prefillWork * ownMs +
      weights.slowdown * stallMs * decoding +
      stepWeight * decoding * addedStepMs +
      waitForRoomMs;
    const harmMs = weights.violationMs * (harm + late + slow);
    const terms = [waitMs, ownMs, adapterMs, 0, decodeMs, workMs, harmMs];
    const cost = waitMs + ownMs + adapterMs + decodeMs + workMs + harmMs;
    const candidate = toCandidate(view, { cost, terms }, prediction, input, loadMs);
    return { candidate, prediction, harm, roomMs: waitForRoomMs };
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

/**
 * Whether a session stays where it is although another replica may be cheaper: it moves when that saves more than a
 * margin, and not again within the dwell time unless its replica has no room.
 */
function staysPinned(pinned: Rated, cheapest: Rated, { signals, pinRules, nowMs }: StrategyInput): boolean {
  if (pinned === cheapest) return true;
  const { pin } = signals;
  const isSettling = pin !== null && pin.moves > 0 && nowMs - pin.sinceMs < pinRules.dwellMs;
  if (isSettling && pinned.roomMs === 0) return true;
  const saving = pinned.candidate.cost - cheapest.candidate.cost;
  return saving <= pinRules.moveMargin * cheapest.prediction.ownMs;
}

function broughtForward(ranked: readonly Candidate[], chosen: Candidate): Candidate[] {
  return [chosen, ...ranked.filter((each) => each !== chosen)];
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
