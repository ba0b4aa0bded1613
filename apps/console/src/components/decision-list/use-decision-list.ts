import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { DecisionFilter } from "#server/decisions/decision-filter.ts";
import { everyDecision } from "#server/decisions/every-decision.ts";
import type { DecisionRow } from "#server/decisions/list-decisions.ts";
import { useTRPC, useTRPCClient } from "#trpc/client.tsx";

const TAIL_MS = 3000;

export interface DecisionList {
  readonly rows: readonly DecisionRow[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  /** Newer decisions that are not on screen yet. */
  readonly waiting: number;
  /** There are more than `waiting`: the count is a lower bound. */
  readonly isWaitingMore: boolean;
  readonly loadMore: () => void;
  readonly showNew: () => void;
  readonly retry: () => void;
}

/**
 * The list behind a filter: pages going back in time, and at its head what has come since. New rows come in by
 * themselves while `isFlowing`, otherwise they are counted and wait, so that nothing moves under the reader.
 */
export function useDecisionList(options: {
  readonly filter: DecisionFilter | null;
  /** Whether the range ends now. */
  readonly follows: boolean;
  readonly isPaused: boolean;
  readonly isFlowing: boolean;
}): DecisionList {
  const { filter, follows, isPaused, isFlowing } = options;
  const trpc = useTRPC();
  const client = useTRPCClient();
  const asked = filter ?? everyDecision(0, 1);
  const key = JSON.stringify(asked);
  const pages = useInfiniteQuery({
    queryKey: ["decision-list", key],
    enabled: filter !== null,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => client.decisions.list.query({ filter: asked, cursor: pageParam, limit: 100 }),
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const [head, setHead] = useState<{ readonly key: string; readonly rows: readonly DecisionRow[] }>({
    key,
    rows: [],
  });
  const newerRows = head.key === key ? head.rows : NONE;
  const newest = newerRows[0]?.id ?? pages.data?.pages[0]?.rows[0]?.id ?? null;

  const tail = useQuery({
    ...trpc.decisions.newer.queryOptions({ filter: asked, since: newest }),
    enabled: filter !== null && follows && !isPaused && pages.isSuccess,
    refetchInterval: TAIL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  const found = tail.data?.rows ?? NONE;
  const isWaitingMore = tail.data?.isMore ?? false;

  const { refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  const showNew = useCallback(() => {
    if (isWaitingMore) {
      // Too many to append without a hole: start over at the newest.
      setHead({ key, rows: [] });
      void refetch();
      return;
    }
    if (found.length > 0) {
      setHead((held) => {
        const old = held.key === key ? held.rows : NONE;
        const known = new Set(old.map((row) => row.id));
        return { key, rows: [...found.filter((row) => !known.has(row.id)), ...old] };
      });
    }
  }, [found, isWaitingMore, key, refetch]);
  useEffect(() => {
    if (isFlowing && found.length > 0) showNew();
  }, [isFlowing, found, showNew]);

  const rows = useMemo(
    () => [...newerRows, ...(pages.data?.pages.flatMap((page) => page.rows) ?? [])],
    [newerRows, pages.data],
  );
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const shown = useMemo(() => new Set(newerRows.map((row) => row.id)), [newerRows]);
  return {
    rows,
    isLoading: pages.isPending && filter !== null,
    error: pages.error,
    hasMore: hasNextPage,
    waiting: found.filter((row) => !shown.has(row.id)).length,
    isWaitingMore,
    loadMore,
    showNew,
    retry: () => void refetch(),
  };
}

const NONE: readonly DecisionRow[] = [];
