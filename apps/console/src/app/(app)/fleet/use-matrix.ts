import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { appendColumns } from "#components/fleet-matrix/append-columns.ts";
import type { Matrix } from "#components/fleet-matrix/matrix-wire.ts";
import { useLiveState, useLiveTopic } from "#live/live-provider.tsx";
import { isFollowingNow, rangeAt, type TimeRange } from "#search-params/time-range.ts";
import { fetchMatrix } from "./fetch-matrix.ts";

/** Snapshots of the last seconds are still on their way to the database; a column without them would flash as a gap. */
const SETTLE_MS = 6000;
/** Narrower changes of the window reuse what was read. */
const WIDTH_STEP = 60;

export interface LiveMatrix {
  /** What is on screen; null before the first answer. */
  readonly matrix: Matrix | null;
  readonly error: Error | null;
  readonly isRefreshing: boolean;
  /** Milliseconds of newer columns waiting because the reader holds the picture. */
  readonly waitingMs: number;
  readonly catchUp: () => void;
  readonly retry: () => void;
}

/**
 * The matrix of a range, kept current: while the range ends now, each announcement of new data reads the last columns
 * and appends them. While `isHeld` they wait, so that nothing moves under the pointer.
 */
export function useMatrix(options: {
  readonly metric: string;
  readonly range: TimeRange | null;
  readonly model: string | null;
  readonly plotWidth: number;
  readonly isHeld: boolean;
}): LiveMatrix {
  const { metric, range, model, isHeld } = options;
  const width = Math.min(1440, Math.ceil(options.plotWidth / WIDTH_STEP) * WIDTH_STEP);
  const { clockOffsetMs, isPaused } = useLiveState();
  const offset = useRef(clockOffsetMs);
  offset.current = clockOffsetMs;
  const follows = range !== null && isFollowingNow(range);
  const spanAt = (live: TimeRange) => {
    const { fromMs, toMs } = rangeAt(live, Date.now() + offset.current);
    return isFollowingNow(live) ? { fromMs: fromMs - SETTLE_MS, toMs: toMs - SETTLE_MS } : { fromMs, toMs };
  };

  const base = useQuery<Matrix>({
    queryKey: ["fleet-matrix", metric, range, model, width],
    enabled: range !== null && width > 0,
    // The tail keeps it current; only a change of the question reads everything again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    placeholderData: (previous) => (previous?.header.metric === metric ? previous : undefined),
    // Typed arrays are replaced, never merged field by field.
    structuralSharing: false,
    queryFn: ({ signal }) => {
      if (range === null) throw new Error("no range to read");
      return fetchMatrix({ metric, ...spanAt(range), width, model }, signal);
    },
  });

  const [grown, setGrown] = useState<{ readonly base: Matrix; readonly matrix: Matrix } | null>(null);
  const [shown, setShown] = useState<Matrix | null>(null);
  const latest = grown !== null && grown.base === base.data ? grown.matrix : (base.data ?? null);

  const announced = useLiveTopic("store")?.newestDataAtMs ?? null;
  const isReading = useRef(false);
  const readTail = useRef(async () => {});
  readTail.current = async () => {
    if (!base.data || base.isPlaceholderData || latest === null || range === null || isReading.current)
      return;
    isReading.current = true;
    try {
      const { fromMs, toMs } = spanAt(range);
      const { t0Ms, stepMs, columns } = latest.header;
      // The last column was open when it was read: it is read again.
      const openMs = t0Ms + (columns - 1) * stepMs;
      if (toMs <= openMs) return;
      const tail = await fetchMatrix({ metric, fromMs: openMs, toMs, width, model, stepMs });
      setGrown({ base: base.data, matrix: appendColumns(latest, tail, fromMs) });
    } catch {
      // The next announcement tries again; the live pill says when data is old.
    } finally {
      isReading.current = false;
    }
  };
  useEffect(() => {
    if (announced !== null && follows && !isPaused) void readTail.current();
  }, [announced, follows, isPaused]);

  const isSameQuestion =
    shown !== null &&
    latest !== null &&
    shown.header.metric === latest.header.metric &&
    shown.header.stepMs === latest.header.stepMs;
  useEffect(() => {
    if (latest !== null && !(isHeld && isSameQuestion)) setShown(latest);
  }, [latest, isHeld, isSameQuestion]);

  const end = (matrix: Matrix) => matrix.header.t0Ms + matrix.header.columns * matrix.header.stepMs;
  const matrix = base.data === undefined && !base.isPlaceholderData ? null : (shown ?? latest);
  return {
    matrix,
    error: base.error,
    isRefreshing: base.isFetching,
    waitingMs:
      matrix !== null && latest !== null && isSameQuestion ? Math.max(0, end(latest) - end(matrix)) : 0,
    catchUp: () => setShown(latest),
    retry: () => void base.refetch(),
  };
}
