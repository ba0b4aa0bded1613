import type { Rng } from "@evenkeel/scheduler/rng";
import type { ReplicaModel } from "../replica-model.ts";
import { stepDurationMs } from "../replica-parameters.ts";
import type { ModelRequest } from "../sequence.ts";

/**
 * Choices that no router can make, because they see inside the engines; they say how far a strategy could get.
 * `oracle`: least predicted delay to the request and to those already there, from true state and true output length,
 * sent at once. `cache-only`: most cached tokens, whatever the load. `load-only`: fewest requests, whatever the cache.
 */
export const BOUND_NAMES = ["oracle", "cache-only", "load-only"] as const;
export type BoundName = (typeof BOUND_NAMES)[number];

export function isBoundName(name: string): name is BoundName {
  return BOUND_NAMES.some((each) => each === name);
}

/** An engine as a bound sees it: what is inside, and what is on its way there. */
export interface BoundCandidate {
  readonly id: string;
  readonly model: ReplicaModel;
  readonly underway: readonly ModelRequest[];
}

/** The candidate a bound chooses; ties are broken by `rng`. Null without candidates. */
export function chooseByBound(
  bound: BoundName,
  request: ModelRequest,
  candidates: readonly BoundCandidate[],
  rng: Rng,
): string | null {
  const costOf = COSTS[bound];
  let best: BoundCandidate | null = null;
  let least = Number.POSITIVE_INFINITY;
  let ties = 0;
  for (const candidate of candidates) {
    const cost = costOf(request, candidate);
    ties = cost === least ? ties + 1 : 1;
    if (cost < least || (cost === least && rng() < 1 / ties)) {
      least = cost;
      best = candidate;
    }
  }
  return best?.id ?? null;
}

const COSTS: Record<BoundName, (request: ModelRequest, candidate: BoundCandidate) => number> = {
  oracle: delayMs,
  "cache-only": (request, { model }) => -model.cachedTokensOf(request),
  "load-only": (_, { model, underway }) => model.running + model.queueDepth + underway.length,
};

/** Delay of the request to its last token, and what it adds to the delays of those already there. */
function delayMs(request: ModelRequest, { model, underway }: BoundCandidate): number {
  const { usPerSequence, nsPerContextToken } = model.parameters.step;
  const ours = request.outputTokens;
  let waitMs = 0;
  /** Steps that the others share with us, and the context they read in them. */
  let sharedSteps = 0;
  let sharedContextTokens = 0;
  const share = (outputLeft: number, contextTokens: number): void => {
    const steps = Math.min(ours, outputLeft);
    sharedSteps += steps;
    sharedContextTokens += steps * contextTokens;
  };
  for (const sequence of model.runningSequences()) {
    const left = sequence.request.promptTokens - sequence.computedTokens;
    if (left > 0) waitMs += prefillMs(model, left, sequence.computedTokens);
    share(sequence.request.outputTokens - sequence.outputTokens, sequence.knownTokens);
  }
  const ahead = [...model.waitingSequences().map((sequence) => sequence.request), ...underway];
  for (const each of ahead) {
    const cached = model.cachedTokensOf(each);
    waitMs += prefillMs(model, each.promptTokens - cached, cached);
    share(each.outputTokens, each.promptTokens);
  }
  const cached = model.cachedTokensOf(request);
  const ownMs = prefillMs(model, request.promptTokens - cached, cached);
  const others = model.running + ahead.length;
  const addedStepMs = usPerSequence / 1e3 + (nsPerContextToken * request.promptTokens) / 1e6;
  const fromOthersMs = (usPerSequence * sharedSteps) / 1e3 + (nsPerContextToken * sharedContextTokens) / 1e6;
  return waitMs + ownMs * (1 + others) + model.slowdown * (fromOthersMs + sharedSteps * addedStepMs);
}

function prefillMs(model: ReplicaModel, tokens: number, start: number): number {
  const { parameters, slowdown } = model;
  const chunks = Math.max(1, Math.ceil(tokens / parameters.maxBatchedTokens));
  const batch = { decodingSequences: 0, decodeContextTokens: 0, distinctAdapters: 0 };
  const whole = stepDurationMs(parameters, {
    ...batch,
    prefillTokens: tokens,
    attentionPairs: tokens * (start + tokens / 2),
  });
  return slowdown * (whole + (chunks - 1) * parameters.step.overheadMs);
}
