"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useLiveTopic } from "#live/live-provider.tsx";
import { useSlowNow } from "#live/use-slow-now.ts";
import { youngStart } from "./default-start.ts";
import type { Moment } from "./time-range.ts";

interface FirstData {
  /** When the store's oldest snapshot was taken; null when there is none. */
  readonly firstDataAtMs: number | null;
  /** Start of a range nobody chose, null when it is the usual one. */
  readonly start: Moment | null;
}

const First = createContext<FirstData>({ firstDataAtMs: null, start: null });

/** Tells pages since when there are data. `readAtMs` is the server's clock when it rendered the page. */
export function FirstDataProvider({
  firstDataAtMs,
  readAtMs,
  children,
}: {
  readonly firstDataAtMs: number | null;
  readonly readAtMs: number;
  readonly children: ReactNode;
}) {
  const announced = useLiveTopic("store", true)?.firstDataAtMs ?? null;
  const now = useSlowNow(10_000);
  const first = announced ?? firstDataAtMs;
  const young = youngStart(first, now === 0 ? readAtMs : now);
  const kind = young?.kind ?? null;
  const at = young === null ? 0 : young.kind === "absolute" ? young.ms : young.beforeNowMs;
  // One object while it says the same: the range is a question's key.
  const value = useMemo(
    (): FirstData => ({
      firstDataAtMs: first,
      start:
        kind === null ? null : kind === "absolute" ? { kind, ms: at } : { kind: "relative", beforeNowMs: at },
    }),
    [first, kind, at],
  );
  return <First value={value}>{children}</First>;
}

export function useFirstData(): FirstData {
  return useContext(First);
}
