import type { TraceRequest } from "../traces/trace-request.ts";

/** One step of a closed-loop session. */
export type SessionStep =
  | {
      readonly kind: "request";
      /** Client's pause after the step before. */
      readonly thinkMs: number;
      readonly request: TraceRequest;
    }
  /** Branches that run side by side; the session goes on when all have ended. */
  | { readonly kind: "parallel"; readonly branches: readonly (readonly SessionStep[])[] };

/** A client whose next request follows the answer to the one before. */
export interface SessionScript {
  readonly startAtMs: number;
  readonly steps: readonly SessionStep[];
}

/**
 * What arrives at the fleet. `requests`: open loop, sent at their times whatever happens. `sessions`: closed loop;
 * the times inside their requests are not used.
 */
export interface Workload {
  readonly requests: readonly TraceRequest[];
  readonly sessions: readonly SessionScript[];
  /** Sessions send nothing after this time; null lets them run to their end. */
  readonly sessionsEndAtMs: number | null;
}

/** An open-loop workload, its times divided by `speed`. */
export function openLoop(requests: readonly TraceRequest[], speed: number): Workload {
  return {
    requests: requests.map((request) => ({ ...request, atMs: request.atMs / speed })),
    sessions: [],
    sessionsEndAtMs: null,
  };
}
