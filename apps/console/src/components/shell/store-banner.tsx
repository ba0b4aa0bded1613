"use client";

import { age } from "#format/time.ts";
import { useLiveState } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";

/** Said on every page while the database is away: what is still true, and what cannot be done. */
export function StoreBanner() {
  const { storeAwaySinceMs } = useLiveState();
  const now = useNow();
  if (storeAwaySinceMs === null) return null;
  return (
    <div
      role="alert"
      className="flex flex-none items-center gap-2 border-b border-warn bg-warn-soft px-4 py-1.5 text-label"
    >
      <span className="font-semibold text-warn">▲ Database away for {age(now - storeAwaySinceMs)}.</span>
      <span>Routing continues. You see the last data; nothing can be changed until it is back.</span>
    </div>
  );
}
