import type { ReplicaParameters } from "@evenkeel/sim/replica-parameters";
import { type PresetName, presetNamed } from "@evenkeel/sim/replica-presets";
import type { FleetEvent, FleetMember } from "@evenkeel/sim/simulation/simulation-options";

/** Fleets that are not what a balancer would like them to be. */
export const SCENARIO_NAMES = [
  "equal",
  "slow-replica",
  "throttle",
  "two-gpu-types",
  "restart",
  "scale-up",
  "rolling-update",
  "adapters-40",
  "adapters-650",
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export function isScenarioName(name: string): name is ScenarioName {
  return SCENARIO_NAMES.some((each) => each === name);
}

export interface Scenario {
  readonly members: readonly FleetMember[];
  readonly events: readonly FleetEvent[];
  /** Adapters laid over the workload's sessions, null for none. */
  readonly adapters: { readonly count: number; readonly skew: number; readonly share: number } | null;
}

/** KV blocks in a bench are this large: a quarter of the bookkeeping of 16-token blocks, and the same behaviour. */
const BENCH_BLOCK_TOKENS = 64;

function withLargeBlocks(parameters: ReplicaParameters): ReplicaParameters {
  const kvBlocks = Math.floor((parameters.kvBlocks * parameters.blockTokens) / BENCH_BLOCK_TOKENS);
  return { ...parameters, blockTokens: BENCH_BLOCK_TOKENS, kvBlocks };
}

/** @param durationMs time over which requests arrive: events are placed within it */
export function scenarioOf(
  name: ScenarioName,
  replicas: number,
  preset: PresetName,
  durationMs: number,
): Scenario {
  const parameters = withLargeBlocks(presetNamed(preset));
  const member = (index: number, overrides: Partial<FleetMember> = {}): FleetMember => ({
    id: `r${index + 1}`,
    parameters,
    ...overrides,
  });
  const members = Array.from({ length: replicas }, (_, index) => member(index));
  const plain: Scenario = { members, events: [], adapters: null };
  switch (name) {
    case "equal":
      return plain;
    case "slow-replica":
      return { ...plain, members: [member(0, { slowdown: 1.5 }), ...members.slice(1)] };
    case "throttle":
      return {
        ...plain,
        events: [
          { kind: "slowdown", atMs: durationMs / 3, id: "r1", factor: 2 },
          { kind: "slowdown", atMs: (2 * durationMs) / 3, id: "r1", factor: 1 },
        ],
      };
    case "two-gpu-types": {
      // A quarter of the fleet is the older generation, told apart by nothing but its speed.
      const older = Math.max(1, Math.floor(replicas / 4));
      const slower: ReplicaParameters = { ...parameters, step: presetNamed("llama-8b-a100").step };
      return {
        ...plain,
        members: members.map((each, index) => (index < older ? { ...each, parameters: slower } : each)),
      };
    }
    case "restart":
      return {
        ...plain,
        events: [
          { kind: "crash", atMs: 0.4 * durationMs, id: "r1" },
          { kind: "restart", atMs: 0.45 * durationMs, id: "r1" },
        ],
      };
    case "scale-up":
      return {
        ...plain,
        members: members.slice(0, -1),
        events: [{ kind: "join", atMs: 0.4 * durationMs, member: member(replicas - 1) }],
      };
    case "rolling-update": {
      const everyMs = (0.7 * durationMs) / replicas;
      return {
        ...plain,
        members: members.map((each) => ({ ...each, labels: { version: "1" } })),
        events: members.map(({ id }, index) => ({
          kind: "update",
          atMs: 0.15 * durationMs + index * everyMs,
          id,
          version: "2",
          downMs: Math.min(20_000, 0.3 * everyMs),
        })),
      };
    }
    case "adapters-40":
      return { ...plain, adapters: { count: 40, skew: 1.1, share: 1 } };
    case "adapters-650":
      return { ...plain, adapters: { count: 650, skew: 1.1, share: 1 } };
  }
}
