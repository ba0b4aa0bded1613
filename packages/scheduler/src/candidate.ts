import type { Candidate } from "./decision.ts";
import type { ReplicaView } from "./fleet-snapshot.ts";
import { textHash } from "./hash.ts";
import type { Prediction } from "./prediction.ts";
import type { Rng } from "./rng.ts";
import { signalNotes } from "./signal-notes.ts";
import type { StrategyInput } from "./strategy.ts";

/** A cost that is not a number must lose, and must be storable. */
const WORST_COST = 1e15;

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
    terms: rating.terms,
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

/**
 * Ranks candidates, best first. Equal costs are put in an order drawn from `rng` that depends on the replicas' ids and
 * not on their place in the fleet.
 */
export function rank(candidates: readonly Candidate[], rng: Rng): Candidate[] {
  const draw = Math.floor(rng() * 4294967296);
  const ranked = candidates.slice().sort(byCost);
  let from = 0;
  while (from < ranked.length) {
    let to = from + 1;
    while (to < ranked.length && ranked[to]?.cost === ranked[from]?.cost) to++;
    if (to - from > 1) shuffleTies(ranked, from, to, draw);
    from = to;
  }
  return ranked;
}

function byCost(x: Candidate, y: Candidate): number {
  return x.cost - y.cost;
}

function shuffleTies(ranked: Candidate[], from: number, to: number, draw: number): void {
  const ties = ranked
    .slice(from, to)
    .map((candidate) => ({ candidate, key: textHash(candidate.replica, draw) }));
  ties.sort((x, y) => x.key - y.key || (x.candidate.replica < y.candidate.replica ? -1 : 1));
  ties.forEach(({ candidate }, index) => {
    ranked[from + index] = candidate;
  });
}

function finite(value: number, otherwise: number): number {
  return Number.isFinite(value) ? value : otherwise;
}
