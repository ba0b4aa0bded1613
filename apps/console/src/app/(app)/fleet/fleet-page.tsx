"use client";

import dynamic from "next/dynamic";
import { useQueryState, useQueryStates } from "nuqs";
import { useCallback, useId, useMemo, useState } from "react";
import { FleetMatrix } from "#components/fleet-matrix/fleet-matrix.tsx";
import { groupRows, type Sort } from "#components/fleet-matrix/group-rows.ts";
import { MatrixKey, MatrixLegend } from "#components/fleet-matrix/matrix-legend.tsx";
import { MATRIX_METRICS, matrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { matrixSummary, spanWords } from "#components/fleet-matrix/matrix-summary.ts";
import { useShortcuts } from "#components/shell/keyboard.ts";
import { useKeysSetting } from "#components/shell/use-keys-setting.ts";
import { Button } from "#components/ui/button.tsx";
import { Empty } from "#components/ui/empty.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { dayClock, ianaZone } from "#format/time.ts";
import { useSlowNow } from "#live/use-slow-now.ts";
import { useFirstData } from "#search-params/first-data.tsx";
import { rangeAt } from "#search-params/time-range.ts";
import { useView } from "#search-params/use-view.ts";
import { MatrixError } from "./fetch-matrix.ts";
import { fleetParams, openReplica } from "./fleet-params.ts";
import { FleetLayoutBar, FleetMetricBar } from "./fleet-toolbar.tsx";
import { MatrixSkeleton } from "./matrix-skeleton.tsx";
import { useMatrix } from "./use-matrix.ts";

// Loaded when they are shown: the matrix comes first.
const ReplicaDrawer = dynamic(() => import("./replica-drawer.tsx").then((file) => file.ReplicaDrawer), {
  ssr: false,
});
const MatrixTable = dynamic(
  () => import("#components/fleet-matrix/matrix-table.tsx").then((file) => file.MatrixTable),
  { ssr: false },
);

/** Which replica diverges, and since when: the sentence, then the matrix that proves it. */
export function FleetPage() {
  const { range, tz, model, pool, setView } = useView();
  const { firstDataAtMs } = useFirstData();
  const [params, setParams] = useQueryStates(fleetParams, { history: "replace" });
  const [open, setOpen] = useQueryState("open", openReplica);
  const [areKeysOn] = useKeysSetting();
  const [isHeld, setIsHeld] = useState(false);
  const [plotWidth, setPlotWidth] = useState(0);
  const now = useSlowNow(60_000);
  const summaryId = useId();
  const metric = matrixMetric(params.metric);
  const sort: Sort = params.sort ?? (params.mode === "div" ? "divergence" : "now");
  const descending = params.dir === "desc";

  const live = useMatrix({ metric: metric.id, range, model, plotWidth: plotWidth || 900, isHeld });
  const { matrix } = live;
  const groups = useMemo(() => {
    if (matrix === null) return [];
    const needle = params.q.trim().toLowerCase();
    const isShown = (id: string, labels: Readonly<Record<string, string>>) =>
      id.toLowerCase().includes(needle) && (pool === null || labels["pool"] === pool);
    return groupRows(matrix, metric, params.group, sort, descending)
      .map((group) => ({ ...group, rows: group.rows.filter(({ row }) => isShown(row.id, row.labels)) }))
      .filter((group) => group.rows.length > 0);
  }, [matrix, metric, params.group, params.q, pool, sort, descending]);

  const span = range === null || now === 0 ? null : rangeAt(range, now);
  const spanMs = span === null ? 3_600_000 : span.toMs - span.fromMs;
  const summary = matrix === null ? "" : matrixSummary(groups, metric, spanMs);
  const selected = useMemo(() => (open === null ? [] : [open]), [open]);
  const openRow = useCallback((replica: string) => void setOpen(replica), [setOpen]);

  useShortcuts(
    [
      { keys: "m", says: "Next metric", run: () => void setParams({ metric: nextMetric(metric.id) }) },
      {
        keys: "d",
        says: "Divergence or absolute",
        run: () => void setParams({ mode: params.mode === "div" ? "abs" : "div" }),
      },
      {
        keys: "o",
        says: "Turn the order around",
        run: () => void setParams({ dir: descending ? "asc" : "desc" }),
      },
      {
        keys: "T",
        says: "Table or matrix",
        run: () => void setParams({ as: params.as === "table" ? null : "table" }),
      },
      { keys: "Escape", says: "Close the drawer", run: () => void setOpen(null) },
    ],
    areKeysOn,
  );

  const isEmpty = matrix !== null && groups.length === 0;
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-[480px] min-w-0 flex-1 flex-col px-4 pt-1">
        <h1 className="sr-only">Fleet</h1>
        <FleetMetricBar
          metric={metric.id}
          mode={params.mode}
          filter={params.q}
          onChange={(change) => void setParams(change)}
        />
        <div className="flex min-h-[30px] flex-none flex-wrap items-center gap-x-2 gap-y-1">
          <FleetLayoutBar
            {...params}
            sort={sort}
            descending={descending}
            onChange={(change) => void setParams(change)}
          />
          <span className="flex-1" />
          {params.as === "matrix" ? (
            <MatrixLegend
              metric={metric}
              mode={params.mode === "div" ? "divergence" : "absolute"}
              ramp={params.ramp}
            />
          ) : null}
        </div>
        <div className="flex min-h-5 flex-none flex-wrap items-center gap-x-3 text-label text-muted">
          <p id={summaryId} aria-live="polite" className="min-w-0">
            {summary}{" "}
            <abbr title={metric.help} className="cursor-help border-b border-dotted border-ctl no-underline">
              {metric.id === "kv" ? "KV = active blocks only" : `What is ${metric.title}?`}
            </abbr>
          </p>
          <span className="flex-1" />
          {live.waitingMs > 0 ? (
            <Button size="small" kind="quiet" className="h-5 text-accent" onClick={live.catchUp}>
              +{spanWords(live.waitingMs)}
            </Button>
          ) : null}
          {params.as === "matrix" ? (
            <MatrixKey
              metric={metric}
              cells={matrix === null ? null : spanWords(matrix.header.stepMs)}
              noDataBefore={
                matrix !== null &&
                firstDataAtMs !== null &&
                firstDataAtMs >= matrix.header.t0Ms + matrix.header.stepMs
                  ? dayClock(firstDataAtMs, tz)
                  : null
              }
            />
          ) : null}
        </div>
        <div className="h-0.5 flex-none" aria-hidden="true">
          {live.isRefreshing && matrix !== null ? (
            <div className="h-px w-full animate-pulse bg-accent" />
          ) : null}
        </div>
        {live.error ? (
          <Notice
            tone="crit"
            title={live.error.message}
            className="mb-2"
            actions={
              <Button size="small" onClick={live.retry}>
                Try again
              </Button>
            }
          >
            {matrix === null
              ? "Routing is not affected by what the console shows."
              : "The last data stays on screen."}{" "}
            {live.error instanceof MatrixError && live.error.requestId ? (
              <span className="mono">request {live.error.requestId}</span>
            ) : null}
          </Notice>
        ) : null}
        {range === null ? (
          <Empty
            title="The time range in the address cannot be read"
            action={<Button onClick={() => setView({ from: null, to: null })}>Show the last hour</Button>}
          >
            It must look like from=now-6h&amp;to=now, or name two times with a zone.
          </Empty>
        ) : matrix === null ? (
          live.error ? null : (
            <MatrixSkeleton />
          )
        ) : isEmpty ? (
          <FleetEmpty
            hasReplicas={matrix.header.rows.length > 0}
            filter={params.q}
            pool={pool}
            model={model}
            onClear={() => {
              void setParams({ q: null });
              void setView({ pool: null, model: null });
            }}
          />
        ) : params.as === "table" ? (
          <div className="flex min-h-0 flex-1 flex-col pb-4">
            <MatrixTable
              groups={groups}
              metric={metric}
              asOfMs={matrix.header.asOfMs}
              sort={sort}
              descending={descending}
              selected={selected}
              caption={summary}
              onSort={(next) =>
                void setParams(
                  next === sort ? { dir: descending ? "asc" : "desc" } : { sort: next, dir: "desc" },
                )
              }
              onOpen={openRow}
            />
          </div>
        ) : (
          // Names, cells and numbers stay side by side: what is narrower scrolls sideways.
          <div className="flex min-h-0 flex-1 overflow-x-auto">
            <div className="flex min-w-[520px] flex-1 max-[640px]:min-w-[760px] flex-col">
              <FleetMatrix
                matrix={matrix}
                metric={metric}
                groups={groups}
                mode={params.mode === "div" ? "divergence" : "absolute"}
                ramp={params.ramp}
                fit={params.fit}
                timeZone={ianaZone(tz)}
                selected={selected}
                describedBy={summaryId}
                onOpen={openRow}
                onHold={setIsHeld}
                onPlotWidth={setPlotWidth}
              />
            </div>
          </div>
        )}
      </div>
      {open === null ? null : (
        <ReplicaDrawer
          key={open}
          id={open}
          asOfMs={matrix?.header.asOfMs ?? null}
          onClose={() => void setOpen(null)}
        />
      )}
    </div>
  );
}

function nextMetric(id: string): string {
  const at = MATRIX_METRICS.findIndex((metric) => metric.id === id);
  return MATRIX_METRICS[(at + 1) % MATRIX_METRICS.length]?.id ?? id;
}

/** Nothing to draw: because of a filter, or because nothing is connected yet. */
function FleetEmpty({
  hasReplicas,
  filter,
  pool,
  model,
  onClear,
}: {
  readonly hasReplicas: boolean;
  readonly filter: string;
  readonly pool: string | null;
  readonly model: string | null;
  readonly onClear: () => void;
}) {
  if (filter !== "" || pool !== null || model !== null) {
    const parts = [
      ...(filter === "" ? [] : [`name contains “${filter}”`]),
      ...(pool === null ? [] : [`pool is ${pool}`]),
      ...(model === null ? [] : [`model is ${model}`]),
    ];
    return (
      <Empty
        title="No replica matches the filter"
        action={<Button onClick={onClear}>Remove the filter</Button>}
      >
        Asked for: {parts.join(", ")}.
      </Empty>
    );
  }
  return hasReplicas ? (
    <Empty title="No replica in this range">Choose a later range.</Empty>
  ) : (
    <Empty title="No router has reported a replica yet">
      Name your replicas in a fleet file and start a router that writes to this database:
      <code className="mono mt-2 block rounded-md border bg-panel px-3 py-2 text-left text-text">
        FLEET_FILE=fleet.yaml npm run router
      </code>
    </Empty>
  );
}
