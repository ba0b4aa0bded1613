import type { LiveState } from "#live/live-store.ts";

export interface Liveness {
  readonly kind: "connecting" | "live" | "polling" | "paused" | "stale" | "store_away" | "lost" | "no_data";
  /** Age of the newest data, or of the trouble; null when neither says anything. */
  readonly ageMs: number | null;
}

/** Three snapshots missed. */
const STALE_AFTER_MS = 20_000;

/** What the pill says. The worst thing that is true wins, so that "live" is never said of old data. */
export function livenessOf(input: {
  readonly state: LiveState;
  readonly newestDataAtMs: number | null;
  readonly hasStore: boolean;
  readonly nowMs: number;
}): Liveness {
  const { state, newestDataAtMs, hasStore, nowMs } = input;
  // Before the first tick there is no clock to compare with.
  if (nowMs === 0) return { kind: "connecting", ageMs: null };
  const dataAgeMs = newestDataAtMs === null ? null : Math.max(0, nowMs - newestDataAtMs);
  if (state.storeAwaySinceMs !== null)
    return { kind: "store_away", ageMs: Math.max(0, nowMs - state.storeAwaySinceMs) };
  if (state.isPaused) return { kind: "paused", ageMs: dataAgeMs };
  if (state.connection === "lost") return { kind: "lost", ageMs: dataAgeMs };
  if (!hasStore) return { kind: "connecting", ageMs: null };
  if (dataAgeMs === null) return { kind: "no_data", ageMs: null };
  if (dataAgeMs > STALE_AFTER_MS) return { kind: "stale", ageMs: dataAgeMs };
  return { kind: state.connection === "polling" ? "polling" : "live", ageMs: dataAgeMs };
}
