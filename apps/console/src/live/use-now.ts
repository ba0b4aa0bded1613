"use client";

import { useSyncExternalStore } from "react";
import { useLiveState } from "./live-provider.tsx";

let tick = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick = Date.now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

function snapshot(): number {
  // Without a timer the value is refreshed here, yet stays the same for renders that follow each other.
  if (timer === null && Date.now() - tick > 1_000) tick = Date.now();
  return tick;
}

/** The server's time in milliseconds, moving once a second; one timer for the whole page. 0 while rendering on the server. */
export function useNow(): number {
  const now = useSyncExternalStore(subscribe, snapshot, () => 0);
  const { clockOffsetMs } = useLiveState();
  return now === 0 ? 0 : now + clockOffsetMs;
}
