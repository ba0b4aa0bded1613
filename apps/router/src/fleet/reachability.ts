export interface ReachabilitySettings {
  /** Probes in a row that must fail before a replica counts as unreachable: busy engines answer late. */
  readonly failuresToLose: number;
  /** Probes in a row that must succeed before it counts as reachable again. */
  readonly successesToReturn: number;
}

export const REACHABILITY: ReachabilitySettings = { failuresToLose: 3, successesToReturn: 2 };

/** Active health of one replica, fed by its probes and apart from any load figure. */
export interface Reachability {
  readonly kind: "unknown" | "reachable" | "unreachable" | "loading";
  /** Results in a row that speak against `kind`. */
  readonly contrary: number;
}

/** `loading`: it answered, and said it is not ready to serve. */
export type ProbeResult = "up" | "loading" | "down";

export const UNPROBED: Reachability = { kind: "unknown", contrary: 0 };

/** Next state after a probe. Pure. The first probe of a new replica decides at once. */
export function nextReachability(
  state: Reachability,
  result: ProbeResult,
  settings: ReachabilitySettings,
): Reachability {
  if (result === "loading") return { kind: "loading", contrary: 0 };
  switch (state.kind) {
    case "unknown":
    case "loading":
      return result === "up" ? { kind: "reachable", contrary: 0 } : lose(state, settings);
    case "reachable":
      return result === "up" ? settled(state) : lose(state, settings);
    case "unreachable": {
      if (result === "down") return settled(state);
      const contrary = state.contrary + 1;
      return contrary >= settings.successesToReturn
        ? { kind: "reachable", contrary: 0 }
        : { kind: "unreachable", contrary };
    }
  }
}

/** Live traffic got an answer: whatever the probes say, the replica is there. */
export function answeredTraffic(state: Reachability): Reachability {
  return state.kind === "reachable" ? settled(state) : state;
}

function settled(state: Reachability): Reachability {
  return state.contrary === 0 ? state : { kind: state.kind, contrary: 0 };
}

function lose(state: Reachability, settings: ReachabilitySettings): Reachability {
  const contrary = state.contrary + 1;
  if (state.kind === "unknown" || contrary >= settings.failuresToLose) {
    return { kind: "unreachable", contrary: 0 };
  }
  return { kind: state.kind, contrary };
}
