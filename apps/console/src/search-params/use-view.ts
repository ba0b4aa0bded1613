"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { type TimeRange, timeRange } from "./time-range.ts";
import { viewParams } from "./view.ts";

/** The shared part of the address: range, zone, live, model and pool. */
export function useView() {
  const [view, setView] = useQueryStates(viewParams, { history: "replace" });
  const { from, to } = view;
  const range = useMemo((): TimeRange | null => timeRange(from, to), [from, to]);
  return { ...view, range, setView };
}
