"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { LoadFailure } from "#components/ui/load-failure.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { fullTime, zoneLabel } from "#format/time.ts";
import { filledDocument } from "#policy/filled-document.ts";
import { semanticDiff } from "#policy/semantic-diff.ts";
import { policyParams } from "#search-params/policy-params.ts";
import { useView } from "#search-params/use-view.ts";
import { useTRPC } from "#trpc/client.tsx";
import type { PolicyRevision } from "#trpc/outputs.ts";
import { Rollback } from "./rollback.tsx";
import { SemanticChanges } from "./semantic-changes.tsx";
import { EditorSkeleton, YamlPane } from "./yaml-pane.tsx";

/** One revision: its text, or what it would change of the live one; and the way back to it. */
export function RevisionPanel({
  revision,
  live,
}: {
  readonly revision: number;
  readonly live: PolicyRevision;
}) {
  const trpc = useTRPC();
  const { tz } = useView();
  const [{ show }, setParams] = useQueryStates(policyParams, { history: "replace" });
  const found = useQuery(
    trpc.policies.revision.queryOptions({ revision }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const isLive = revision === live.revision;
  const changes = useMemo(
    () =>
      found.data === undefined
        ? null
        : semanticDiff(filledDocument(live.document), filledDocument(found.data.document)),
    [found.data, live.document],
  );
  const form = isLive ? "yaml" : show;
  return (
    <Panel className="min-h-80 max-[1100px]:h-120">
      <PanelHead
        title={`Rev ${revision}`}
        note={
          found.data === undefined
            ? undefined
            : `${found.data.author}, ${fullTime(found.data.publishedAtMs, tz)} ${zoneLabel(tz)}`
        }
      >
        <Segmented
          label="Show the revision as"
          size="small"
          value={form}
          options={[
            { value: "yaml", label: "YAML" },
            {
              value: "meaning",
              label: "Meaning",
              ...(isLive ? { disabledReason: "This revision is in force." } : {}),
            },
            {
              value: "text",
              label: "Text diff",
              ...(isLive ? { disabledReason: "This revision is in force." } : {}),
            },
          ]}
          onChange={(next) => setParams({ show: next })}
        />
      </PanelHead>
      <ScrollRegion label={`Content of rev ${revision}`} className="border-t">
        {found.data === undefined ? (
          found.isError ? (
            <LoadFailure error={found.error} what={`revision ${revision}`} onRetry={() => found.refetch()} />
          ) : (
            <EditorSkeleton />
          )
        ) : form === "meaning" && changes !== null ? (
          changes.length === 0 ? (
            <p className="p-3 text-muted">
              Rev {revision} and rev {live.revision} mean the same.
            </p>
          ) : (
            <SemanticChanges changes={changes} />
          )
        ) : form === "text" && found.data.source !== live.source ? (
          <YamlPane
            label={`Rev ${revision} against rev ${live.revision}`}
            value={found.data.source}
            comparedWith={live.source}
          />
        ) : form === "text" ? (
          <p className="p-3 text-muted">
            The text of rev {revision} is that of rev {live.revision}.
          </p>
        ) : (
          <YamlPane label={`Policy rev ${revision}`} value={found.data.source} />
        )}
      </ScrollRegion>
      {isLive || found.data === undefined || changes === null ? null : found.data.source === live.source ? (
        <p role="status" className="flex-none border-t p-3">
          In force: rev {live.revision}, live, has the text of rev {revision}. There is nothing to go back to.
        </p>
      ) : (
        <Rollback target={found.data} live={live} changes={changes.length} />
      )}
    </Panel>
  );
}
