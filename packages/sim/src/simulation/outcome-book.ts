import type { Sequence } from "../sequence.ts";
import { isServedWell, type ServedRequest, type ServingObjectives } from "../serving-report.ts";
import type { SimulatedRequest } from "./simulated-request.ts";

/** What became of every request of a run. */
export class OutcomeBook {
  readonly served: ServedRequest[] = [];
  readonly heldMs: number[] = [];
  readonly #objectives: ServingObjectives;
  readonly #warmUpUntilMs: number;
  #misses = 0;

  constructor(objectives: ServingObjectives, warmUpUntilMs: number) {
    this.#objectives = objectives;
    this.#warmUpUntilMs = warmUpUntilMs;
  }

  /** Requests after the warm-up that were not served within the objectives. */
  get misses(): number {
    return this.#misses;
  }

  /** @param sequence what the engine has of a completed request, else null */
  add(request: SimulatedRequest, outcome: ServedRequest["outcome"], sequence: Sequence | null): void {
    const firstAtMs = sequence?.firstTokenAtMs ?? null;
    const lastAtMs = sequence?.lastTokenAtMs ?? null;
    const outputTokens = sequence?.outputTokens ?? 0;
    const isSpread = firstAtMs !== null && lastAtMs !== null && outputTokens > 1;
    const served: ServedRequest = {
      atMs: request.arrivedAtMs,
      promptTokens: request.trace.promptTokens,
      outputTokens,
      cachedTokens: sequence?.cachedTokens ?? null,
      ttftMs: firstAtMs === null ? null : firstAtMs - request.arrivedAtMs,
      itlMs: isSpread ? (lastAtMs - firstAtMs) / (outputTokens - 1) : null,
      replica: request.replicaId,
      sessionKey: request.trace.sessionKey,
      outcome,
    };
    this.served.push(served);
    this.heldMs.push(request.heldMs);
    const isCounted = served.atMs >= this.#warmUpUntilMs;
    if (isCounted && !isServedWell(served, this.#objectives)) this.#misses += 1;
  }
}
