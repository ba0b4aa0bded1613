"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { DEFAULT_FROM } from "./default-start.ts";
import { useFirstData } from "./first-data.tsx";
import { type TimeRange, timeRange } from "./time-range.ts";
import { viewParams } from "./view.ts";

/** The shared part of the address: range, zone, live, model and pool. */
export function useView() {
  const [view, setView] = useQueryStates(viewParams, { history: "replace" });
  const { start } = useFirstData();
  // Only a range that nobody chose follows the data; one that was chosen is shown as it was.
  const young = view.from === null && view.to === null ? start : null;
  const from = view.from ?? DEFAULT_FROM;
  const to = view.to ?? "now";
  const range = useMemo((): TimeRange | null => {
    const asked = timeRange(from, to);
    return asked !== null && young !== null ? { ...asked, from: young } : asked;
  }, [from, to, young]);
  /** Whether the range starts where data do, because nobody chose one. */
  const isSinceFirstData = young !== null;
  return { ...view, from, to, range, isSinceFirstData, setView };
}
