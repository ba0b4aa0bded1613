"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryState } from "nuqs";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ChartSkeleton } from "#components/decision-chart/chart-skeleton.tsx";
import { ReasonLegend, ReasonMixBars } from "#components/decision-chart/reason-mix.tsx";
import { AddFilter } from "#components/decision-filters/add-filter.tsx";
import { FilterChips } from "#components/decision-filters/filter-chips.tsx";
import { activeFields } from "#components/decision-filters/filter-fields.ts";
import { useDecisionFilter } from "#components/decision-filters/use-decision-filter.ts";
import { DecisionTable } from "#components/decision-list/decision-table.tsx";
import { REASON_ORDER } from "#components/decision-list/reason-look.ts";
import { useDecisionList } from "#components/decision-list/use-decision-list.ts";
import { spanWords } from "#components/fleet-matrix/matrix-summary.ts";
import { useShortcuts } from "#components/shell/keyboard.ts";
import { absoluteRange } from "#components/shell/typed-time.ts";
import { useKeysSetting } from "#components/shell/use-keys-setting.ts";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { grouped } from "#format/number.ts";
import { ianaZone } from "#format/time.ts";
import { useSlowNow } from "#live/use-slow-now.ts";
import { useView } from "#search-params/use-view.ts";
import { everyDecision } from "#server/decisions/every-decision.ts";
import { useTRPC } from "#trpc/client.tsx";
import { NothingFound } from "./nothing-found.tsx";

const CHART_HEIGHT = 156;
/** The chart and the count move with time in steps of this; the list only by what comes in. */
const TICK_MS = 10_000;
const ReasonBars = dynamic(() => import("#components/decision-chart/reason-bars.tsx"), {
  ssr: false,
  loading: () => <ChartSkeleton />,
});

// Loaded when the first decision is opened.
const DecisionDrawer = dynamic(
  () => import("#components/decision-detail/decision-drawer.tsx").then((file) => file.DecisionDrawer),
  { ssr: false },
);

/** Why each request went where it went: reasons over time, the list, and one decision in full. */
export function DecisionsPage() {
  const trpc = useTRPC();
  const { tz, live, range } = useView();
  const { filter, follows, set, clear, setView } = useDecisionFilter();
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  const [isShare, setIsShare] = useQueryState("share", parseAsBoolean.withDefault(false));
  const [areKeysOn] = useKeysSetting();
  const scroller = useRef<HTMLElement>(null);
  const [isPointed, setIsPointed] = useState(false);
  const [isAtTop, setIsAtTop] = useState(true);
  const [cursor, setCursor] = useState<string | null>(null);
  const now = useSlowNow(TICK_MS);

  const list = useDecisionList({
    filter,
    follows,
    isPaused: !live,
    isFlowing: isAtTop && !isPointed && open === null,
  });
  const asked = filter ?? everyDecision(0, 1);
  const tick = follows && live && now !== 0 ? now : null;
  const charted = useMemo(
    () =>
      tick === null
        ? asked
        : {
            ...asked,
            fromMs: range === null ? asked.fromMs : tick - rangeSpan(range, asked.fromMs, tick),
            toMs: tick,
          },
    [asked, tick, range],
  );
  const spanMs = (charted.toMs ?? now) - charted.fromMs;
  const histogram = useQuery({
    ...trpc.decisions.histogram.queryOptions({ filter: charted }, { placeholderData: keepPreviousData }),
    enabled: filter !== null,
  });
  const mix = useQuery({
    ...trpc.decisions.mix.queryOptions({ filter: charted }, { placeholderData: keepPreviousData }),
    enabled: filter !== null && filter.chosen !== null,
  });

  const zoom = useCallback(
    (fromMs: number, toMs: number) => void setView(absoluteRange(fromMs, toMs)),
    [setView],
  );
  const { rows } = list;
  const walk = useCallback(
    (by: number) => {
      const at = rows.findIndex((row) => row.id === (cursor ?? open));
      const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
      if (!next) return;
      setCursor(next.id);
      if (open !== null) void setOpen(next.id, { history: "replace" });
    },
    [rows, cursor, open, setOpen],
  );
  const openRow = useCallback(
    (id: string) => {
      setCursor(id);
      void setOpen(id, { history: open === null ? "push" : "replace" });
    },
    [open, setOpen],
  );
  useShortcuts(
    [
      { keys: "j", says: "Next decision", run: () => walk(1) },
      { keys: "k", says: "Decision before", run: () => walk(-1) },
      { keys: "Enter", says: "Open the decision", run: () => cursor !== null && openRow(cursor) },
      { keys: "Escape", says: "Close the drawer", run: () => void setOpen(null) },
    ],
    areKeysOn,
  );
  useEffect(() => {
    if (list.isLoading) setCursor(null);
  }, [list.isLoading]);

  const fields = filter === null ? [] : activeFields(filter);
  const total = histogram.data?.total ?? null;
  const hidden = useMemo(
    () => [...(filter?.chosen ? ["replica"] : []), ...(filter?.model ? ["model"] : [])],
    [filter],
  );
  const present = REASON_ORDER.filter((reason) =>
    histogram.data?.counts.some((count) => count.reason === reason),
  );
  const isOpen = open !== null;

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-[560px] min-w-0 flex-1 flex-col gap-2 px-4 pt-2 pb-4">
        <h1 className="sr-only">Decisions</h1>
        <div className="flex min-h-8 flex-none flex-wrap items-center gap-x-2 gap-y-1">
          {filter === null ? null : <FilterChips filter={filter} onRemove={(field) => set(field, null)} />}
          <AddFilter onAdd={set} />
          <span className="flex-1" />
          <Segmented
            label="Bars show"
            size="small"
            value={isShare ? "share" : "count"}
            options={[
              { value: "count", label: "Count" },
              { value: "share", label: "100 %" },
            ]}
            onChange={(next) => void setIsShare(next === "share" ? true : null)}
          />
        </div>
        {range === null ? (
          <Notice
            tone="warn"
            title="The time range in the address cannot be read."
            actions={<Button onClick={() => setView({ from: null, to: null })}>Show the last hour</Button>}
          />
        ) : null}
        {list.error || histogram.error ? (
          <Notice
            tone="crit"
            title={(list.error ?? histogram.error)?.message ?? ""}
            actions={
              <Button
                size="small"
                onClick={() => {
                  list.retry();
                  void histogram.refetch();
                }}
              >
                Try again
              </Button>
            }
          >
            Routing is not affected by what the console shows.{" "}
            <RequestId error={list.error ?? histogram.error} />
          </Notice>
        ) : null}

        <Panel className="flex-none">
          <PanelHead
            title={isShare ? "Reasons, share of decisions" : "Reasons, decisions per second"}
            note={histogram.data ? spanWords(histogram.data.stepMs) : undefined}
          >
            <span className="text-label whitespace-nowrap text-muted" aria-live="polite">
              {total === null ? "" : `${grouped(total)} in ${spanWords(spanMs)}, all kept`}
            </span>
          </PanelHead>
          <div className="mx-3 mb-1 cursor-pointer" style={{ height: CHART_HEIGHT }}>
            {histogram.data ? (
              <ReasonBars
                histogram={histogram.data}
                isShare={isShare}
                timeZone={ianaZone(tz)}
                height={CHART_HEIGHT}
                onBin={zoom}
              />
            ) : (
              <ChartSkeleton />
            )}
          </div>
          {mix.data && filter?.chosen ? null : (
            <div className="px-3 pb-2">
              {histogram.data ? (
                <ReasonLegend reasons={present} />
              ) : (
                // The line the legend will take.
                <div className="text-micro" aria-hidden="true">
                  &nbsp;
                </div>
              )}
            </div>
          )}
        </Panel>
        {mix.data && filter?.chosen ? (
          <Panel className="flex-none">
            <ReasonMixBars mix={mix.data} />
          </Panel>
        ) : null}

        <Panel className="min-h-[240px] flex-1">
          <section
            ref={scroller}
            className="relative min-h-0 flex-1 overflow-auto"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
            aria-label="List of decisions"
            onScroll={(event) => setIsAtTop(event.currentTarget.scrollTop < 4)}
            onPointerEnter={() => setIsPointed(true)}
            onPointerLeave={() => setIsPointed(false)}
          >
            {!list.isLoading && rows.length === 0 && !list.error && filter !== null ? (
              <NothingFound
                fromMs={filter.fromMs}
                toMs={filter.toMs}
                fields={fields.map(({ field, words }) => ({
                  id: field.id,
                  words: `${field.label} ${words}`,
                }))}
                onRemove={(id) => set(id, null)}
                onClear={clear}
              />
            ) : (
              <DecisionTable
                scroller={scroller}
                rows={rows}
                total={total}
                tz={tz}
                isLoading={list.isLoading}
                isNarrow={isOpen}
                hidden={hidden}
                openId={open}
                cursorId={cursor}
                onOpen={openRow}
                onEnd={list.loadMore}
              />
            )}
          </section>
          <footer className="flex h-7 flex-none items-center gap-2 border-t bg-raise px-3 text-label text-muted">
            {list.waiting > 0 ? (
              <Button
                size="small"
                kind="ghost"
                className="h-5 bg-accent-soft text-accent"
                onClick={() => {
                  list.showNew();
                  scroller.current?.scrollTo({ top: 0 });
                }}
              >
                +{grouped(list.waiting)}
                {list.isWaitingMore ? " or more" : ""} new
              </Button>
            ) : null}
            <span>{tailWords({ follows, live, isOpen, isPointed, isAtTop, waiting: list.waiting })}</span>
            <span className="flex-1" />
            <span>
              {grouped(rows.length)} of {total === null ? "…" : grouped(Math.max(total, rows.length))}
            </span>
          </footer>
        </Panel>
      </div>
      {open === null ? null : (
        <DecisionDrawer
          id={open}
          tz={tz}
          onClose={() => void setOpen(null)}
          onSession={(hash) => {
            set("session", hash);
            void setOpen(null);
          }}
        />
      )}
    </div>
  );
}

/** Length of the range: what lies between its anchored start and the moment it was anchored, kept while time goes on. */
function rangeSpan(
  range: { readonly from: { readonly kind: string; readonly beforeNowMs?: number } },
  fromMs: number,
  nowMs: number,
): number {
  return range.from.kind === "relative" ? (range.from.beforeNowMs ?? nowMs - fromMs) : nowMs - fromMs;
}

function tailWords(state: {
  readonly follows: boolean;
  readonly live: boolean;
  readonly isOpen: boolean;
  readonly isPointed: boolean;
  readonly isAtTop: boolean;
  readonly waiting: number;
}): string {
  if (!state.follows) return "a fixed range: nothing comes in";
  if (!state.live) return "paused";
  if (state.isOpen) return "paused while a decision is open";
  if (!state.isAtTop) return "paused while scrolled";
  if (state.isPointed && state.waiting > 0) return "paused under the pointer";
  return "live";
}

function RequestId({ error }: { readonly error: object | null }) {
  const data: unknown = error !== null && "data" in error ? error.data : null;
  const id = typeof data === "object" && data !== null && "requestId" in data ? data.requestId : null;
  return typeof id === "string" ? <span className="mono">request {id}</span> : null;
}
