import type { Candidate } from "./decision.ts";
import type { ReplicaView } from "./fleet-snapshot.ts";
import { textHash } from "./hash.ts";
import { orderByCost } from "./order-by-cost.ts";
import { type Prediction, PredictionScratch, predict } from "./prediction.ts";
import type { ReplicaId } from "./replica.ts";
import type { Rng } from "./rng.ts";
import { signalNotes } from "./signal-notes.ts";
import type { StrategyInput } from "./strategy.ts";

/** A cost that is not a number must lose, and must be storable. */
const WORST_COST = 1e15;

/**
 * Added to the score of a replica that a rule leaves out although no filter does: it ranks after all that the rule lets
 * in, and is still there for a retry.
 */
export const LEFT_OUT = 1e9;

/** What a strategy says of one replica; the rest of a candidate is read from the replica. */
export interface Rating {
  readonly cost: number;
  readonly terms: readonly number[];
}

/**
 * Makes a candidate of a rated replica. A cost that is not finite becomes the worst there is.
 * @param extraTtftMs what the strategy knows to come before the first token beside queue and prefill.
 */
export function toCandidate(
  view: ReplicaView,
  rating: Rating,
  prediction: Prediction,
  input: StrategyInput,
  extraTtftMs = 0,
): Candidate {
  const { signals } = view;
  return {
    replica: view.id,
    cost: finite(rating.cost, WORST_COST),
    terms: Number.isFinite(rating.cost) ? rating.terms : rating.terms.map((term) => finite(term, WORST_COST)),
    predictedTtftMs: finite(prediction.waitMs + prediction.ownMs + extraTtftMs, WORST_COST),
    cachedTokens: prediction.cachedTokens,
    inFlight: view.inFlight,
    queueDepth: signals === null ? null : signals.queueDepth,
    running: signals === null ? null : signals.running,
    kvOccupancy: signals === null ? null : signals.kvOccupancy,
    signalAgeMs:
      signals === null ? null : finite(Math.max(0, input.nowMs - signals.observedAtMs), WORST_COST),
    notes: signalNotes(view, input.nowMs, input.signalsStaleAfterMs),
  };
}

/** Rates every replica by terms that add up to its cost, and ranks them. */
export function rankByTerms(
  input: StrategyInput,
  termsOf: (view: ReplicaView, prediction: Prediction) => readonly number[],
): Candidate[] {
  const scratch = new PredictionScratch();
  const rated = input.candidates.map((view) => {
    const prediction = predict(view, input.request, input.signals, input.nowMs, scratch);
    const terms = termsOf(view, prediction);
    const cost = terms.reduce((sum, term) => sum + term, 0);
    return toCandidate(view, { cost, terms }, prediction, input);
  });
  return rank(rated, input.rng);
}

/**
 * Ranks candidates, best first. Equal costs are put in an order drawn from `rng` that depends on the replicas' ids and
 * not on their place in the fleet.
 */
export function rank(candidates: readonly Candidate[], rng: Rng): Candidate[] {
  const draw = drawSeed(rng);
  const costs = new Float64Array(candidates.length);
  for (let i = 0; i < candidates.length; i++) costs[i] = candidates[i]?.cost ?? WORST_COST;
  const ranked: Candidate[] = [];
  // The order holds indexes of `candidates`.
  for (const index of orderByCost(costs)) ranked.push(candidates[index] as Candidate);
  let from = 0;
  while (from < ranked.length) {
    let to = from + 1;
    while (to < ranked.length && ranked[to]?.cost === ranked[from]?.cost) to++;
    if (to - from > 1) {
      const ties = inDrawnOrder(ranked.slice(from, to), (each) => each.replica, draw);
      ties.forEach((each, index) => {
        ranked[from + index] = each;
      });
    }
    from = to;
  }
  return ranked;
}

/** Replicas in an order drawn from `rng` that depends on their ids and not on their place in the fleet. */
export function shuffled(views: readonly ReplicaView[], rng: Rng): ReplicaView[] {
  return inDrawnOrder(views, (view) => view.id, drawSeed(rng));
}

function inDrawnOrder<T>(items: readonly T[], idOf: (item: T) => ReplicaId, draw: number): T[] {
  const keyed = items.map((item) => ({ item, id: idOf(item), key: textHash(idOf(item), draw) }));
  keyed.sort((x, y) => x.key - y.key || (x.id < y.id ? -1 : 1));
  return keyed.map(({ item }) => item);
}

function drawSeed(rng: Rng): number {
  return Math.floor(rng() * 4294967296);
}

function finite(value: number, otherwise: number): number {
  return Number.isFinite(value) ? value : otherwise;
}
