import type { ReplicaState } from "@evenkeel/scheduler/replica";
import { isOutlier, type RankedRow } from "./group-rows.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { STALE_SIGNAL_MS } from "./stale-signal.ts";

/** Sign and words for a row's condition: never colour alone. */
export interface StateGlyph {
  readonly glyph: string;
  readonly tone: "ok" | "warn" | "crit" | "unknown" | "muted";
  readonly word: string;
}

const BY_STATE: Record<Exclude<ReplicaState, "ready">, StateGlyph> = {
  starting: { glyph: "◌", tone: "unknown", word: "starting" },
  draining: { glyph: "▽", tone: "muted", word: "draining" },
  cordoned: { glyph: "▽", tone: "muted", word: "cordoned" },
  ejected: { glyph: "■", tone: "crit", word: "ejected" },
  unreachable: { glyph: "■", tone: "crit", word: "unreachable" },
};

/** A replica no router has written about for this long is silent. */
const SILENT_MS = 60_000;

/** Whether the row's newest value rests on signals older than they should be, or no snapshot came lately. */
export function isStaleNow(ranked: RankedRow, asOfMs: number): boolean {
  const { signalAgeMs, lastSnapshotMs } = ranked.row;
  if (lastSnapshotMs === null) return false;
  return asOfMs - lastSnapshotMs > SILENT_MS || (signalAgeMs ?? 0) > STALE_SIGNAL_MS;
}

/** The glyph of a row: its state first, then staleness, then guard and outlier. */
export function stateGlyph(ranked: RankedRow, metric: MatrixMetric, isStale: boolean): StateGlyph {
  const { state, now } = ranked.row;
  if (state === null) return { glyph: "◌", tone: "unknown", word: "silent" };
  if (state !== "ready") return BY_STATE[state];
  if (isStale) return { glyph: "◌", tone: "warn", word: "stale" };
  if (metric.guard !== null && now !== null && now >= metric.guard) {
    return { glyph: "■", tone: "crit", word: "over guard" };
  }
  if (isOutlier(ranked)) return { glyph: "▲", tone: "warn", word: "outlier" };
  return { glyph: "●", tone: "ok", word: "ready" };
}
