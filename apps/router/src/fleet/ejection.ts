import type { Rng } from "@evenkeel/scheduler/rng";

export interface EjectionSettings {
  /** Failures in a row that open the circuit. */
  readonly failuresToOpen: number;
  /** First pause; doubles with each opening that follows a failed probe. */
  readonly basePauseMs: number;
  readonly maxPauseMs: number;
  /** Requests that may be tried at once while half open. */
  readonly probesAtOnce: number;
  /** Probes in a row that must succeed to close. */
  readonly successesToClose: number;
}

export const EJECTION: EjectionSettings = {
  failuresToOpen: 3,
  basePauseMs: 5_000,
  maxPauseMs: 60_000,
  probesAtOnce: 1,
  successesToClose: 2,
};

/** Circuit of one replica: passive, fed by the requests that went there. */
export type Ejection =
  | { readonly kind: "closed"; readonly failures: number }
  | { readonly kind: "open"; readonly untilMs: number; readonly openings: number }
  | {
      readonly kind: "half_open";
      readonly openings: number;
      readonly probes: number;
      readonly successes: number;
    };

/**
 * What happened to a request sent to the replica.
 * `answering`: its answer began; enough for a probe, whose stream may run for an hour.
 * `success`: it ended well; only a whole answer forgives earlier failures, else a replica that breaks every stream
 * half-way would never be ejected.
 * `no_verdict`: it ended and says nothing of the replica (a client error, a client that left, saturation): that
 * frees the probe's place and proves nothing.
 */
export type EjectionEvent = "dispatched" | "answering" | "success" | "failure" | "no_verdict" | "tick";

export const CLOSED: Ejection = { kind: "closed", failures: 0 };

/** Next state of a circuit. Pure; `rng` spreads the pauses so that replicas do not come back all at once. */
export function nextEjection(
  state: Ejection,
  event: EjectionEvent,
  nowMs: number,
  settings: EjectionSettings,
  rng: Rng,
): Ejection {
  switch (state.kind) {
    case "closed": {
      if (event === "success") return state.failures === 0 ? state : CLOSED;
      if (event !== "failure") return state;
      const failures = state.failures + 1;
      if (failures < settings.failuresToOpen) return { kind: "closed", failures };
      return opened(0, nowMs, settings, rng);
    }
    case "open": {
      // Answers of requests sent before the opening prove nothing about a probe; a later pause wins, never an earlier.
      if (event === "tick" && nowMs >= state.untilMs) {
        return { kind: "half_open", openings: state.openings, probes: 0, successes: 0 };
      }
      return state;
    }
    case "half_open": {
      const probes = Math.max(0, state.probes - 1);
      switch (event) {
        case "dispatched":
          return { ...state, probes: state.probes + 1 };
        case "no_verdict":
          return { ...state, probes };
        case "failure":
          return opened(state.openings, nowMs, settings, rng);
        case "answering": {
          const successes = state.successes + 1;
          return successes >= settings.successesToClose ? CLOSED : { ...state, probes, successes };
        }
        case "success":
        case "tick":
          return state;
      }
    }
  }
}

/** Whether the replica takes a request now. */
export function acceptsRequests(state: Ejection, settings: EjectionSettings): boolean {
  switch (state.kind) {
    case "closed":
      return true;
    case "open":
      return false;
    case "half_open":
      return state.probes < settings.probesAtOnce;
  }
}

function opened(openings: number, nowMs: number, settings: EjectionSettings, rng: Rng): Ejection {
  const pauseMs = Math.min(settings.maxPauseMs, settings.basePauseMs * 2 ** openings);
  return { kind: "open", untilMs: nowMs + pauseMs * (0.9 + 0.2 * rng()), openings: openings + 1 };
}
