import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { isFollowingNow, rangeAt } from "#search-params/time-range.ts";
import { useView } from "#search-params/use-view.ts";
import type { DecisionFilter, DecisionFilterField } from "#server/decisions/decision-filter.ts";
import { filterParams } from "./filter-params.ts";

/**
 * The filter in the address. A range that ends now is anchored when it is chosen and left open at its end: pages of
 * the list then fit each other while new decisions arrive.
 */
export function useDecisionFilter() {
  const { range, model, pool, setView } = useView();
  const [params, setParams] = useQueryStates(filterParams, { history: "replace" });
  const [anchor, setAnchor] = useState(() => ({ range, atMs: Date.now() }));
  if (anchor.range !== range) setAnchor({ range, atMs: Date.now() });
  const follows = range !== null && isFollowingNow(range);
  const { atMs } = anchor;

  const filter = useMemo((): DecisionFilter | null => {
    if (range === null) return null;
    const { fromMs, toMs } = rangeAt(range, atMs);
    return { ...params, model, pool, fromMs: Math.floor(fromMs), toMs: follows ? null : Math.floor(toMs) };
  }, [range, atMs, follows, params, model, pool]);

  const set = (field: DecisionFilterField, value: string | null) => {
    if (field === "model" || field === "pool") return void setView({ [field]: value });
    const parsed = value === null ? null : filterParams[field].parse(value);
    return void setParams({ [field]: parsed });
  };
  const clear = () => {
    void setParams(null);
    void setView({ model: null, pool: null });
  };
  return { filter, follows, set, clear, setView };
}
