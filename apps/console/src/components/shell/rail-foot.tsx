"use client";

import { classNames } from "#components/ui/class-names.ts";
import { counted } from "#format/number.ts";
import { clock, zoneLabel } from "#format/time.ts";
import { useLiveTopic } from "#live/live-provider.tsx";
import { useView } from "#search-params/use-view.ts";

/** How much of the fleet reports, and until when the data reach. */
export function RailFoot({ isHidden }: { readonly isHidden: boolean }) {
  const store = useLiveTopic("store");
  const { tz } = useView();
  if (store === null || isHidden) return null;
  return (
    <div className={classNames("mt-auto px-4 text-micro text-muted max-wide:hidden")}>
      {counted(store.routersAlive, "router")} · {counted(store.replicas, "replica")}
      <br />
      {store.newestDataAtMs === null
        ? "No data yet"
        : `Data to ${clock(store.newestDataAtMs, tz)} ${zoneLabel(tz)}`}
    </div>
  );
}
