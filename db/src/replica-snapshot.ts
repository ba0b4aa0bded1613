import type { ReplicaState } from "@evenkeel/scheduler/replica";

/** What one router knew of one replica at one moment. Null means not known, never zero. */
export interface ReplicaSnapshot {
  readonly takenAtMs: number;
  readonly routerId: string;
  readonly replica: string;
  readonly state: ReplicaState;
  /** Requests of this router in flight there. */
  readonly inFlight: number;
  readonly running: number | null;
  readonly queueDepth: number | null;
  /** 0..1 */
  readonly kvOccupancy: number | null;
  /** Milliseconds between the engine's signals and `takenAtMs`; null when there are none. */
  readonly signalAgeMs: number | null;
  /** Observed by this router since the last snapshot; null when no request finished its first token. */
  readonly ttftP50Ms: number | null;
  readonly ttftP99Ms: number | null;
  readonly itlP50Ms: number | null;
  /** Share of prompt tokens served from cache since the last snapshot, from `usage`. */
  readonly hitRate: number | null;
  readonly requests: number;
  readonly failures: number;
}
