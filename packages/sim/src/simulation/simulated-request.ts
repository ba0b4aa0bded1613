import type { InferenceRequest } from "@evenkeel/scheduler/request";
import type { ModelRequest } from "../sequence.ts";
import type { TraceRequest } from "../traces/trace-request.ts";

/** One request on its way through the simulated fleet. */
export interface SimulatedRequest {
  readonly trace: TraceRequest;
  readonly inference: InferenceRequest;
  readonly modelRequest: ModelRequest;
  readonly arrivedAtMs: number;
  /** Replicas whose attempt failed. */
  readonly tried: Set<string>;
  /** Time spent waiting in the router, so far. */
  heldMs: number;
  /** Names the current attempt. */
  streamId: string;
  replicaId: string | null;
  /** Runs when the request is over, however it went. */
  readonly onDone: () => void;
}
