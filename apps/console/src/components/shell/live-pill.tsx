"use client";

import { Status } from "#components/ui/status.tsx";
import { age } from "#format/time.ts";
import { useLiveState, useLiveTopic } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";
import { useView } from "#search-params/use-view.ts";
import { GHOST_CHIP } from "./chip.ts";
import { type Liveness, livenessOf } from "./liveness.ts";

const LOOK: Readonly<
  Record<Liveness["kind"], { readonly tone: "ok" | "warn" | "crit" | "unknown"; readonly word: string }>
> = {
  connecting: { tone: "unknown", word: "connecting" },
  live: { tone: "ok", word: "live" },
  polling: { tone: "ok", word: "polling" },
  paused: { tone: "unknown", word: "paused" },
  stale: { tone: "warn", word: "stale" },
  store_away: { tone: "warn", word: "database away" },
  lost: { tone: "warn", word: "not connected" },
  no_data: { tone: "unknown", word: "no data yet" },
};

/** Whether what is on screen follows reality, and how old it is. Pressing it pauses. */
export function LivePill() {
  const state = useLiveState();
  const store = useLiveTopic("store", true);
  const now = useNow();
  const { live, setView } = useView();
  const liveness = livenessOf({
    state,
    newestDataAtMs: store?.newestDataAtMs ?? null,
    hasStore: store !== null,
    nowMs: now,
  });
  const { tone, word } = LOOK[liveness.kind];
  return (
    <button
      type="button"
      className={GHOST_CHIP}
      aria-pressed={!live}
      title={live ? "Pause updates (space)" : "Resume updates (space)"}
      onClick={() => setView({ live: live ? false : null })}
    >
      <Status tone={tone} className="font-medium">
        {word}
      </Status>
      {liveness.ageMs === null ? null : (
        <span className="min-w-7 text-left text-muted">{age(liveness.ageMs)}</span>
      )}
    </button>
  );
}
