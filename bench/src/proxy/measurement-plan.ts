import type { BodyKb } from "./prompt-bodies.ts";
import type { StreamPace } from "./upstream.ts";

/** Answers in one piece, streams as fast as they can be written, streams of one event per 20 ms. */
export type Mode = "json" | "sse-flood" | "sse-paced";

/** One combination that every target is measured in. */
export interface Cell {
  readonly replicas: number;
  readonly bodyKb: BodyKb;
  readonly mode: Mode;
  /** Requests per second of the open-loop part. */
  readonly offeredRps: number;
  readonly openLoopSeconds: number;
  /** Whether the target is also driven as hard as it goes. */
  readonly saturates: boolean;
}

export interface MeasurementPlan {
  readonly cells: readonly Cell[];
  /** Full load before anything is measured, so that compilers and caches have done their work. */
  readonly warmUpSeconds: number;
  readonly saturateWarmUpSeconds: number;
  readonly saturateSeconds: number;
  readonly openLoopWarmUpSeconds: number;
  readonly idleStreams: number;
}

/**
 * The rates are ones every serious target can bear: 500/s is where the peers' published figures are taken, 10/s is a
 * heavy load of 100,000-token prompts.
 */
const CELLS: readonly Cell[] = [
  cell(10, 1, "json", 500, 6, false),
  cell(10, 4, "json", 500, 6, true),
  cell(10, 64, "json", 100, 5, true),
  cell(10, 400, "json", 10, 13, true),
  cell(10, 4, "sse-flood", 50, 4, true),
  cell(10, 64, "sse-flood", 20, 4, true),
  cell(10, 400, "sse-flood", 10, 4, true),
  cell(10, 4, "sse-paced", 100, 7, false),
  cell(100, 4, "json", 500, 6, true),
  cell(100, 64, "json", 100, 5, false),
];

const FULL: MeasurementPlan = {
  cells: CELLS,
  warmUpSeconds: 4,
  saturateWarmUpSeconds: 1,
  saturateSeconds: 2,
  openLoopWarmUpSeconds: 1,
  idleStreams: 1_000,
};

const QUICK: MeasurementPlan = {
  cells: CELLS.map((each) => ({ ...each, openLoopSeconds: each.mode === "sse-paced" ? 5 : 3 })),
  warmUpSeconds: 2,
  saturateWarmUpSeconds: 1,
  saturateSeconds: 1,
  openLoopWarmUpSeconds: 1,
  idleStreams: 200,
};

export function measurementPlan(isQuick: boolean): MeasurementPlan {
  return isQuick ? QUICK : FULL;
}

/** How the upstream streams in a mode. */
export function paceOf(mode: Mode): StreamPace {
  return mode === "sse-paced" ? "paced" : "flood";
}

function cell(
  replicas: number,
  bodyKb: BodyKb,
  mode: Mode,
  offeredRps: number,
  openLoopSeconds: number,
  saturates: boolean,
): Cell {
  return { replicas, bodyKb, mode, offeredRps, openLoopSeconds, saturates };
}
