import type { DecisionFilter } from "./decision-filter.ts";

// Apart from the schema, so that pages do not load what only the server checks with.

/** A decision that chose nothing has no reason; filters and charts call it this. */
export const REJECTED = "rejected";

/** A filter that only bounds time. */
export function everyDecision(fromMs: number, toMs: number | null): DecisionFilter {
  return {
    fromMs,
    toMs,
    model: null,
    pool: null,
    chosen: null,
    lost: null,
    session: null,
    reason: null,
    outcome: null,
    errorCode: null,
    revision: null,
    strategy: null,
    router: null,
    marginBelow: null,
  };
}
