"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { Button } from "#components/ui/button.tsx";
import { LoadFailure } from "#components/ui/load-failure.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { Tag } from "#components/ui/tag.tsx";
import { dayClock, zoneLabel } from "#format/time.ts";
import { policyParams } from "#search-params/policy-params.ts";
import { useView } from "#search-params/use-view.ts";
import { useTRPC } from "#trpc/client.tsx";
import type { Outputs, PolicyRevision } from "#trpc/outputs.ts";
import { RevisionPanel } from "./revision-panel.tsx";

type Summary = Outputs["policies"]["history"][number];

/** Every revision there was, and the one that is looked at. */
export function VersionsTab({ live }: { readonly live: PolicyRevision }) {
  const trpc = useTRPC();
  const { tz } = useView();
  const [{ rev }, setParams] = useQueryStates(policyParams, { history: "replace" });
  const history = useQuery(trpc.policies.history.queryOptions({}));
  const selected = rev ?? live.revision;
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-2 max-[1100px]:grid-cols-1">
      <Panel className="min-h-64 max-[1100px]:max-h-120">
        <PanelHead title="Versions" note="nothing is ever changed or removed; a rollback is a new revision" />
        {history.data === undefined && history.isError ? (
          <LoadFailure error={history.error} what="the versions" onRetry={() => history.refetch()} />
        ) : (
          <ScrollRegion label="Versions" className="border-t">
            <table className="table-dense">
              <thead>
                <tr>
                  <th>Rev</th>
                  <th>Published {zoneLabel(tz)}</th>
                  <th>By</th>
                  <th className="w-full">Why</th>
                  <th className="text-right!">Routers</th>
                </tr>
              </thead>
              <tbody>
                {history.data === undefined ? (
                  <SkeletonRows rows={6} columns={5} />
                ) : (
                  history.data.map((row) => (
                    <VersionRow
                      key={row.revision}
                      row={row}
                      isLive={row.revision === live.revision}
                      isSelected={row.revision === selected}
                      time={dayClock(row.publishedAtMs, tz)}
                      onSelect={() => setParams({ rev: row.revision })}
                    />
                  ))
                )}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </Panel>
      <RevisionPanel revision={selected} live={live} />
    </div>
  );
}

function VersionRow({
  row,
  isLive,
  isSelected,
  time,
  onSelect,
}: {
  readonly row: Summary;
  readonly isLive: boolean;
  readonly isSelected: boolean;
  readonly time: string;
  readonly onSelect: () => void;
}) {
  return (
    <tr data-selected={isSelected} className="cursor-pointer" onClick={onSelect}>
      <td>
        <Button
          kind="ghost"
          size="small"
          className="-ml-2 text-text"
          aria-pressed={isSelected}
          onClick={(event) => {
            event.stopPropagation();
            onSelect();
          }}
        >
          rev {row.revision}
        </Button>
        {isLive ? <Tag tone="ok">live</Tag> : null}
      </td>
      <td className="mono">{time}</td>
      <td className="max-w-36 truncate" title={row.author}>
        {row.author}
      </td>
      <td className="max-w-0 truncate" title={row.reason}>
        {row.kind === "publish" ? null : (
          <Tag className="mr-1.5">{row.kind === "rollback" ? `back to rev ${row.ofRevision}` : "first"}</Tag>
        )}
        {row.reason}
      </td>
      <td className="text-right">
        {row.refused > 0 ? (
          <Status tone="crit">{row.refused} refused</Status>
        ) : row.applied > 0 ? (
          row.applied
        ) : (
          <span className="text-muted">–</span>
        )}
      </td>
    </tr>
  );
}
