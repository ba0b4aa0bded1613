import type { ReplicaState } from "@evenkeel/scheduler/replica";
import type { MatrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";

/** The newest snapshot one router took of a replica. */
export interface RouterSnapshot {
  readonly takenAtMs: number;
  readonly state: ReplicaState;
  readonly inFlight: number;
  /** The metric's value, null when not known. */
  readonly value: number | null;
  readonly signalAgeMs: number | null;
}

export interface MergedSnapshot {
  readonly state: ReplicaState | null;
  readonly now: number | null;
  readonly inFlight: number | null;
  readonly signalAgeMs: number | null;
  readonly lastSnapshotMs: number | null;
}

/** A router whose snapshot is this much older than the newest one is gone: its requests in flight are over. */
const SILENT_ROUTER_MS = 30_000;

/** One replica as all routers together know it; all null when none has seen it. */
export function mergeSnapshots(
  snapshots: readonly RouterSnapshot[],
  merge: MatrixMetric["merge"],
): MergedSnapshot {
  const newest = snapshots.reduce<RouterSnapshot | null>(
    (best, snapshot) => (best && best.takenAtMs >= snapshot.takenAtMs ? best : snapshot),
    null,
  );
  if (newest === null)
    return { state: null, now: null, inFlight: null, signalAgeMs: null, lastSnapshotMs: null };
  const alive = snapshots.filter((snapshot) => newest.takenAtMs - snapshot.takenAtMs <= SILENT_ROUTER_MS);
  // The engine's own numbers: whoever scraped it last knows best, which is not always who wrote last.
  const scraped = alive
    .filter((snapshot) => snapshot.signalAgeMs !== null)
    .reduce<RouterSnapshot | null>(
      (best, snapshot) => (best && observedAt(best) >= observedAt(snapshot) ? best : snapshot),
      null,
    );
  const values = alive.flatMap((snapshot) => (snapshot.value === null ? [] : [snapshot.value]));
  const now =
    merge === "engine"
      ? (scraped?.value ?? null)
      : values.length === 0
        ? null
        : merge === "sum"
          ? values.reduce((sum, value) => sum + value, 0)
          : Math.max(...values);
  return {
    state: newest.state,
    now,
    inFlight: alive.reduce((sum, snapshot) => sum + snapshot.inFlight, 0),
    signalAgeMs: scraped?.signalAgeMs ?? null,
    lastSnapshotMs: newest.takenAtMs,
  };
}

function observedAt(snapshot: RouterSnapshot): number {
  return snapshot.takenAtMs - (snapshot.signalAgeMs ?? 0);
}
