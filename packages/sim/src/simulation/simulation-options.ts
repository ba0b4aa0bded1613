import type { CompiledPolicy } from "@evenkeel/scheduler/compile-policy";
import type { ReplicaParameters } from "../replica-parameters.ts";
import type { ServingObjectives } from "../serving-report.ts";
import type { BoundName } from "./bound.ts";
import type { Workload } from "./workload.ts";

/** One replica of a simulated fleet. */
export interface FleetMember {
  readonly id: string;
  readonly parameters: ReplicaParameters;
  /** Multiplies step times; 1 unless given. */
  readonly slowdown?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Something that happens to the fleet at a given time. */
export type FleetEvent =
  /** The engine dies: open streams break, the cache is lost. */
  | { readonly kind: "crash"; readonly atMs: number; readonly id: string }
  /** A crashed engine serves again, cold. */
  | { readonly kind: "restart"; readonly atMs: number; readonly id: string }
  | { readonly kind: "join"; readonly atMs: number; readonly member: FleetMember }
  /** The engine finishes what it has, restarts with another version after `downMs`, and serves again, cold. */
  | {
      readonly kind: "update";
      readonly atMs: number;
      readonly id: string;
      readonly version: string;
      readonly downMs: number;
    }
  /** Step times change: a throttled GPU, or its recovery. */
  | { readonly kind: "slowdown"; readonly atMs: number; readonly id: string; readonly factor: number };

/** How late a router learns of things, the same for every strategy. */
export interface InformationDelays {
  /** From decision to the engine's queue. */
  readonly toEngineMs: number;
  /** From a token's step end to the router's books. */
  readonly observationMs: number;
  /** Between two scrapes of an engine's metrics, null for never. */
  readonly scrapeIntervalMs: number | null;
  /** From a scrape's reading to the router's books. */
  readonly scrapeDelayMs: number;
}

export const DEFAULT_DELAYS: InformationDelays = {
  toEngineMs: 8,
  observationMs: 0,
  scrapeIntervalMs: 1000,
  scrapeDelayMs: 50,
};

export interface SimulationOptions {
  readonly workload: Workload;
  readonly model: string;
  readonly members: readonly FleetMember[];
  readonly policy: CompiledPolicy;
  /** A choice that sees inside the engines, in place of the policy's. */
  readonly bound?: BoundName;
  /** Tie-breaking, and which router a request meets. */
  readonly seed: number;
  readonly routers?: number;
  readonly delays?: InformationDelays;
  readonly events?: readonly FleetEvent[];
  readonly objectives?: ServingObjectives;
  /** Requests that arrive earlier fill the caches and are left out of the figures; 0 unless given. */
  readonly warmUpUntilMs?: number;
  /** Stops the run once more counted requests than this have missed the objectives. */
  readonly stopAfterMisses?: number;
}
