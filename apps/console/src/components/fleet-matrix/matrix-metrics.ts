import type { MatrixScale } from "./matrix-scale.ts";

/** Columns of a replica snapshot that can be drawn as a matrix. */
export type SnapshotColumn = "kv_occupancy" | "queue_depth" | "running" | "in_flight" | "ttft_p99_ms";

/** A metric the fleet matrix can show. Adding one is adding a row to `MATRIX_METRICS`. */
export interface MatrixMetric {
  readonly id: string;
  /** Tab label. */
  readonly title: string;
  /** Subject of sentences: "KV occupancy of r-17". */
  readonly subject: string;
  readonly unit: "share" | "requests" | "ms";
  readonly column: SnapshotColumn;
  /**
   * How snapshots of several routers become one value. `engine`: all routers scraped the same gauge, the newest
   * scrape counts now and the highest counts in a cell. `sum`: every router knows its own part. `worst`: every
   * router measured its own requests and percentiles do not add, so the highest is shown.
   */
  readonly merge: "engine" | "sum" | "worst";
  readonly scale: MatrixScale;
  /** Half the diverging domain: in the metric's unit on a linear scale, a factor on a log scale. */
  readonly divergenceReach: number;
  /** Values at or above it carry a tick, null when the metric has no limit. */
  readonly guard: number | null;
  /** A spread between hottest and coolest peer from which the group is said to diverge, null when there is none. */
  readonly spreadLimit: number | null;
  /** What the number is and is not; one or two sentences. */
  readonly help: string;
}

export const MATRIX_METRICS: readonly MatrixMetric[] = [
  {
    id: "kv",
    title: "KV",
    subject: "KV occupancy",
    unit: "share",
    column: "kv_occupancy",
    merge: "engine",
    scale: { kind: "linear", max: 1 },
    divergenceReach: 0.25,
    guard: 0.92,
    spreadLimit: 0.2,
    help: "Share of KV blocks held by running requests, as the engine reports it. Blocks that are cached but free are not in it.",
  },
  {
    id: "queue",
    title: "Queue",
    subject: "Queue depth",
    unit: "requests",
    column: "queue_depth",
    merge: "engine",
    scale: { kind: "log", softness: 1, max: 1000 },
    divergenceReach: 4,
    guard: null,
    spreadLimit: null,
    help: "Sequences waiting in the engine.",
  },
  {
    id: "running",
    title: "Running",
    subject: "Running sequences",
    unit: "requests",
    column: "running",
    merge: "engine",
    scale: { kind: "log", softness: 1, max: 1000 },
    divergenceReach: 4,
    guard: null,
    spreadLimit: null,
    help: "Sequences decoding in the engine.",
  },
  {
    id: "inflight",
    title: "In flight",
    subject: "Requests in flight",
    unit: "requests",
    column: "in_flight",
    merge: "sum",
    scale: { kind: "log", softness: 1, max: 1000 },
    divergenceReach: 4,
    guard: null,
    spreadLimit: null,
    help: "Requests sent by the routers and unfinished, all routers together.",
  },
  {
    id: "ttft",
    title: "TTFT p99",
    subject: "TTFT p99",
    unit: "ms",
    column: "ttft_p99_ms",
    merge: "worst",
    scale: { kind: "log", softness: 10, max: 100_000 },
    divergenceReach: 4,
    guard: null,
    spreadLimit: null,
    help: "99th percentile of the time to first token each router observed. With several routers, the worst of them: percentiles do not average.",
  },
];

/** The metric of that id, or the first one when the id is unknown. */
export function matrixMetric(id: string | null): MatrixMetric {
  const found = MATRIX_METRICS.find((metric) => metric.id === id) ?? MATRIX_METRICS[0];
  if (!found) throw new Error("MATRIX_METRICS is empty");
  return found;
}
