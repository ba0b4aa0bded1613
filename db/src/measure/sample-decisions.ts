import type { Candidate, DecisionReason } from "@evenkeel/scheduler/decision";
import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { decisionId } from "../decision-id.ts";
import type { DecisionOutcome, DecisionRecord } from "../decision-record.ts";

export interface SampleOptions {
  readonly startMs: number;
  readonly ratePerSecond: number;
  readonly replicas: number;
  readonly models: number;
  /** Candidates of one decision: the replicas of its model. */
  readonly candidates: number;
  readonly seed: number;
}

/**
 * Decisions shaped as `predicted-cost` makes them in a busy fleet, for measuring what storing them takes. Numbers are
 * as ragged as real ones: nothing here is easier to pack than in production.
 */
export class DecisionSampler {
  readonly #options: SampleOptions;
  readonly #rng: Rng;
  #count = 0;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#rng = seededRng(options.seed);
  }

  next(): DecisionRecord {
    const { startMs, ratePerSecond, models } = this.#options;
    const rng = this.#rng;
    const timeMs = Math.floor(startMs + (this.#count++ * 1000) / ratePerSecond);
    const id = decisionId(
      timeMs,
      Uint8Array.from({ length: 10 }, () => rng() * 256),
    );
    // Popularity falls off: the first models get most requests.
    const model = Math.floor(models * rng() ** 2);
    const promptTokens = Math.floor(50 + 12_000 * rng() ** 3);
    const candidates = this.#candidates(model, promptTokens);
    const best = candidates[0];
    const second = candidates[1];
    const outcome = this.#outcome();
    const isCompleted = outcome === "completed";
    const outputTokens = Math.floor(1 + 600 * rng() ** 2);
    const predicted = best?.predictedTtftMs ?? 100;
    const chosen = best?.replica ?? "none";
    const common = {
      requestId: id,
      decidedAtMs: timeMs,
      policyRevision: 40 + Math.floor(this.#count / 500_000),
      strategy: "predicted-cost" as const,
      pool: null,
      arm: null,
      baseModel: `model-${model}`,
      adapter: rng() < 0.2 ? `adapter-${Math.floor(20 * rng())}` : null,
      filtered: rng() < 0.1 && second ? [{ replica: second.replica, reason: "draining" as const }] : [],
      candidates,
    };
    const isRejected = outcome === "rejected";
    return {
      id,
      requestId: uuidOf(rng),
      routerId: `router-${Math.floor(rng() * 3)}`,
      model: common.adapter ?? common.baseModel,
      sessionHash: rng() < 0.8 ? sessionOf(Math.floor(rng() * 20_000)) : null,
      decision: isRejected
        ? { kind: "rejected", ...common, code: "saturated" }
        : {
            kind: "routed",
            ...common,
            chosen,
            segment: `model-${model}/vllm/0.11.0/fp8/unified`,
            reason: reasonOf(rng),
            predictedOutputTokens: 180 + 40 * rng(),
            isPanic: false,
          },
      decideUs: 18 + 30 * rng(),
      heldMs: rng() < 0.05 ? 400 * rng() : 0,
      attempts: isRejected
        ? []
        : [{ replica: chosen, outcome: "completed", status: 200, durationMs: predicted * 9 }],
      outcome,
      errorCode:
        isCompleted || outcome === "client_gone" ? null : isRejected ? "saturated" : "upstream_failed",
      status: isCompleted ? 200 : isRejected ? 429 : 502,
      isStreaming: rng() < 0.9,
      promptTokensPredicted: Math.floor(promptTokens * (0.95 + 0.1 * rng())),
      promptTokens: isCompleted ? promptTokens : null,
      cachedTokens: isCompleted ? Math.floor(promptTokens * rng()) : null,
      outputTokens: isCompleted ? outputTokens : null,
      ttftMs: isCompleted ? predicted * (rng() < 0.02 ? 2 + rng() : 0.6 + 0.9 * rng()) : null,
      itlMs: isCompleted ? 12 + 20 * rng() : null,
      durationMs: predicted + outputTokens * 20 * rng(),
    };
  }

  batch(count: number): DecisionRecord[] {
    return Array.from({ length: count }, () => this.next());
  }

  #candidates(model: number, promptTokens: number): Candidate[] {
    const { replicas, candidates } = this.#options;
    const rng = this.#rng;
    const list = Array.from({ length: candidates }, (_, i): Candidate => {
      const cachedTokens = rng() < 0.4 ? 16 * Math.floor((promptTokens * rng()) / 16) : 0;
      const waitMs = rng() < 0.4 ? 0 : 300 * rng();
      const prefillMs = (promptTokens - cachedTokens) * (0.05 + 0.01 * rng());
      const decodeMs = 200 + 300 * rng();
      const workMs = prefillMs * 1.3 + 40 * rng();
      const harmMs = 10_000 * 0.02 * rng() ** 3;
      return {
        replica: `r-${String((model * 7 + i) % replicas).padStart(3, "0")}`,
        cost: waitMs + prefillMs + decodeMs + workMs + harmMs,
        terms: [waitMs, prefillMs, 0, 0, decodeMs, workMs, harmMs],
        predictedTtftMs: waitMs + prefillMs,
        cachedTokens,
        inFlight: Math.floor(rng() * 40),
        queueDepth: rng() < 0.7 ? 0 : Math.floor(rng() * 12),
        running: Math.floor(rng() * 48),
        kvOccupancy: rng(),
        signalAgeMs: Math.floor(rng() * 1000),
        notes: rng() < 0.02 ? ["stale_signal"] : [],
      };
    });
    return list.sort((a, b) => a.cost - b.cost);
  }

  #outcome(): DecisionOutcome {
    const at = this.#rng();
    if (at < 0.97) return "completed";
    if (at < 0.985) return "client_gone";
    if (at < 0.995) return "rejected";
    return "upstream_failed";
  }
}

function reasonOf(rng: Rng): DecisionReason {
  const at = rng();
  if (at < 0.5) return "prefix_match";
  if (at < 0.75) return "kept_pin";
  return at < 0.99 ? "shortest_wait" : "retry";
}

function sessionOf(session: number): string {
  const stable = seededRng(session);
  return Array.from({ length: 16 }, () => Math.floor(stable() * 16).toString(16)).join("");
}

function uuidOf(rng: Rng): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(rng() * 16).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
