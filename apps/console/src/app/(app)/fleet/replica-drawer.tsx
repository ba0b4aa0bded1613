"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { DrawerFrame } from "#components/drawer-frame.tsx";
import { matrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { fullValue } from "#components/fleet-matrix/matrix-value.ts";
import { LineChart } from "#components/line-chart/line-chart.tsx";
import { pageHref } from "#components/shell/pages.ts";
import { Empty } from "#components/ui/empty.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { Tag } from "#components/ui/tag.tsx";
import { counted, grouped, millis, percent } from "#format/number.ts";
import { age, fullTime, ianaZone, zoneLabel } from "#format/time.ts";
import { useLiveState } from "#live/live-provider.tsx";
import { useSlowNow } from "#live/use-slow-now.ts";
import { isFollowingNow, rangeAt } from "#search-params/time-range.ts";
import { useView } from "#search-params/use-view.ts";
import type { ReplicaDetail } from "#server/fleet/read-replica.ts";
import { useTRPC } from "#trpc/client.tsx";
import { replicaSentence } from "./replica-sentence.ts";

/** One replica: the sentence, its charts against its peers, what each router knows, its facts. */
export function ReplicaDrawer({
  id,
  asOfMs,
  onClose,
}: {
  readonly id: string;
  /** The moment the matrix beside it shows as now; null before it is there. */
  readonly asOfMs: number | null;
  readonly onClose: () => void;
}) {
  const trpc = useTRPC();
  const { range, tz } = useView();
  const now = useSlowNow(10_000);
  const { isPaused } = useLiveState();
  const follows = range !== null && isFollowingNow(range) && !isPaused;
  // The question moves with the matrix: row and drawer say the same of now.
  const [opened] = useState(() => Date.now());
  const at = asOfMs ?? opened;
  const span = range === null ? null : rangeAt(range, follows ? at : opened);
  const { data, error } = useQuery({
    ...trpc.fleet.replica.queryOptions(
      { id, fromMs: span?.fromMs ?? 0, toMs: span?.toMs ?? 1 },
      { placeholderData: keepPreviousData },
    ),
    enabled: span !== null,
  });
  return (
    <DrawerFrame title="Replica" subject={id} onClose={onClose} width={480}>
      {data ? (
        <ReplicaBody detail={data} nowMs={now} tz={tz} />
      ) : error ? (
        <Empty title="This replica cannot be shown">{error.message}</Empty>
      ) : (
        <div className="flex flex-col gap-3 p-4">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-3 w-3/5" />
          <Skeleton className="h-32" />
          <Skeleton className="h-32" />
        </div>
      )}
    </DrawerFrame>
  );
}

const share = (value: number) => fullValue(matrixMetric("kv"), value);
const whole = (value: number) => grouped(value);
const duration = (value: number) => millis(value);

function ReplicaBody({
  detail,
  nowMs,
  tz,
}: {
  readonly detail: ReplicaDetail;
  readonly nowMs: number;
  readonly tz: string;
}) {
  const params = useSearchParams();
  const { bins, points, now: newest } = detail;
  const chart = useMemo(() => {
    const times = Array.from({ length: bins.columns }, (_, bin) => bins.t0Ms + bin * bins.stepMs);
    const column = (pick: (point: ReplicaDetail["points"][number]) => number | null) => {
      const values: (number | null)[] = new Array(bins.columns).fill(null);
      for (const point of points) values[point.bin] = pick(point);
      return values;
    };
    return {
      times,
      kv: [
        {
          label: "peers, median",
          token: "--muted",
          newest: newest.peerKvOccupancy,
          values: column((point) => point.peerKvOccupancy),
        },
        {
          label: detail.id,
          token: "--dv4",
          newest: newest.kvOccupancy,
          values: column((point) => point.kvOccupancy),
        },
      ],
      load: [
        {
          label: "running",
          token: "--t-prefill",
          newest: newest.running,
          values: column((point) => point.running),
        },
        {
          label: "queue",
          token: "--t-wait",
          newest: newest.queueDepth,
          values: column((point) => point.queueDepth),
        },
        {
          label: "in flight",
          token: "--muted",
          newest: newest.inFlight,
          values: column((point) => point.inFlight),
          isDashed: true,
        },
      ],
      ttft: [
        {
          label: "p50",
          token: "--t-decode",
          newest: newest.ttftP50Ms,
          values: column((point) => point.ttftP50Ms),
        },
        {
          label: "p99",
          token: "--t-wait",
          newest: newest.ttftP99Ms,
          values: column((point) => point.ttftP99Ms),
        },
      ],
    };
  }, [bins, points, newest, detail.id]);
  const words = replicaSentence(detail);
  const zone = ianaZone(tz);
  const decisionsOf = (filter: "chosen" | "lost") => {
    const href = pageHref("/decisions", params);
    return `${href}${href.includes("?") ? "&" : "?"}${filter}=${encodeURIComponent(detail.id)}`;
  };
  const common = { timesMs: chart.times, timeZone: zone, height: 112, syncKey: "replica" };
  return (
    <>
      <div className="border-b px-4 py-3">
        <p className="text-lead font-semibold tracking-tight break-words">{words.sentence}</p>
        <p className="mt-1 text-label text-muted">{words.detail}</p>
      </div>
      <div className="flex flex-col gap-3 border-b px-4 py-3">
        <ChartHead
          title="KV occupancy"
          note="lines highest per bin, legend newest; dashed is the 92 % guard"
        />
        <LineChart
          {...common}
          label="KV occupancy over time"
          series={chart.kv}
          max={1}
          limit={0.92}
          format={share}
        />
        <ChartHead title="Requests" note="lines highest per bin, legend newest" />
        <LineChart
          {...common}
          label="Running, queue and in flight over time"
          series={chart.load}
          format={whole}
        />
        <ChartHead title="TTFT" note="as the routers observed it, legend newest" />
        <LineChart {...common} label="Time to first token over time" series={chart.ttft} format={duration} />
      </div>
      <RouterViews detail={detail} nowMs={nowMs} />
      <dl className="grid grid-cols-[88px_1fr] gap-x-3 gap-y-1.5 px-4 py-3 text-label">
        <dt className="text-muted">Model</dt>
        <dd className="truncate">{detail.model ?? "not known"}</dd>
        <dt className="text-muted">Engine</dt>
        <dd>
          {detail.engine ?? "not known"}
          {detail.role ? `, ${detail.role}` : ""}
        </dd>
        <dt className="text-muted">Segment</dt>
        <dd className="mono break-all">{detail.segment ?? "not known"}</dd>
        <dt className="text-muted">Labels</dt>
        <dd className="flex flex-wrap gap-1">
          {Object.entries(detail.labels).map(([name, value]) => (
            <Tag key={name} className="max-w-full text-text">
              <span className="text-muted">{name}</span>
              <span className="truncate">{value}</span>
            </Tag>
          ))}
          {Object.keys(detail.labels).length === 0 ? <span className="text-muted">none</span> : null}
        </dd>
        <dt className="text-muted">First seen</dt>
        <dd>
          {fullTime(detail.firstSeenMs, tz)} {zoneLabel(tz)}
        </dd>
        {detail.removedMs === null ? null : (
          <>
            <dt className="text-muted">Left the fleet</dt>
            <dd>
              {fullTime(detail.removedMs, tz)} {zoneLabel(tz)}
            </dd>
          </>
        )}
      </dl>
      <footer className="sticky bottom-0 mt-auto flex flex-wrap gap-2 border-t bg-panel px-4 py-3">
        <Link
          href={decisionsOf("chosen")}
          className="inline-flex h-7 items-center rounded-md border border-accent bg-accent px-3 text-label font-semibold text-accent-ink hover:brightness-110"
        >
          Decisions it won {grouped(detail.decisions.won)}
        </Link>
        <Link
          href={decisionsOf("lost")}
          className="inline-flex h-7 items-center rounded-md border border-ctl px-3 text-label font-medium hover:bg-hover"
        >
          Decisions it lost {grouped(detail.decisions.lost)}
        </Link>
        {detail.decisions.failed > 0 ? (
          <Status tone="crit" className="text-label">
            {counted(detail.decisions.failed, "failure")} in range
          </Status>
        ) : null}
      </footer>
    </>
  );
}

function ChartHead({ title, note }: { readonly title: string; readonly note: string }) {
  return (
    <div className="-mb-2 flex items-baseline justify-between gap-2 text-micro">
      <h3 className="font-medium">{title}</h3>
      <span className="truncate text-muted">{note}</span>
    </div>
  );
}

/** What every router knew last: in flight is each router's own, engine signals are the same engine seen at other moments. */
function RouterViews({ detail, nowMs }: { readonly detail: ReplicaDetail; readonly nowMs: number }) {
  if (detail.views.length === 0) {
    return (
      <p className="border-b px-4 py-3 text-label text-muted">
        No router took a snapshot of it in this range.
      </p>
    );
  }
  return (
    <div className="border-b">
      <table className="table-dense">
        <caption className="sr-only">Last snapshot of each router</caption>
        <thead>
          <tr>
            <th scope="col" className="!pl-4">
              Seen by
            </th>
            <th scope="col">State</th>
            <th scope="col" className="!text-right">
              In flight
            </th>
            <th scope="col" className="!text-right">
              Run
            </th>
            <th scope="col" className="!text-right">
              Queue
            </th>
            <th scope="col" className="!text-right">
              KV
            </th>
            <th scope="col" className="!text-right">
              Hit
            </th>
            <th scope="col" className="!pr-4 !text-right">
              Signal
            </th>
          </tr>
        </thead>
        <tbody>
          {detail.views.map((view) => (
            <tr key={view.router}>
              <td
                className="mono max-w-24 truncate !pl-4"
                title={nowMs ? `${age(nowMs - view.takenAtMs)} ago` : undefined}
              >
                {view.router}
              </td>
              <td>{view.state}</td>
              <td className="text-right">{view.inFlight}</td>
              <td className="text-right">{view.running ?? "–"}</td>
              <td className="text-right">{view.queueDepth ?? "–"}</td>
              <td className="text-right">{view.kvOccupancy === null ? "–" : share(view.kvOccupancy)}</td>
              <td className="text-right">{percent(view.hitRate)}</td>
              <td className="!pr-4 text-right text-muted">
                {view.signalAgeMs === null ? "none" : `${(view.signalAgeMs / 1000).toFixed(1)} s`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
