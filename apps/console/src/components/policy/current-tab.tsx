"use client";

import { policyDocument } from "@evenkeel/scheduler/policy";
import { useMemo } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice, type NoticeTone } from "#components/ui/notice.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { counted } from "#format/number.ts";
import { fullTime, zoneLabel } from "#format/time.ts";
import { useLiveTopic } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";
import { ackSummary, ackWords } from "#policy/ack-summary.ts";
import { useView } from "#search-params/use-view.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";
import { ModelRules } from "./model-rules.tsx";
import { RouterAcks } from "./router-acks.tsx";
import { YamlPane } from "./yaml-pane.tsx";

/** What is in force: the sentence, the rules, the text, and who has it. */
export function CurrentTab({
  live,
  hasDraft,
  onEdit,
}: {
  readonly live: PolicyRevision;
  readonly hasDraft: boolean;
  readonly onEdit: () => void;
}) {
  const state = useLiveTopic("policy", true);
  const now = useNow();
  const { tz } = useView();
  const document = useMemo(() => policyDocument.safeParse(live.document), [live.document]);
  const summary =
    state === null || now === 0 || state.live?.revision !== live.revision ? null : ackSummary(state, now);
  const tone: NoticeTone =
    summary === null
      ? "info"
      : summary.refused.length > 0
        ? "crit"
        : summary.waiting.length > 0
          ? "warn"
          : "ok";
  return (
    <>
      <Notice
        isAnswer
        tone={summary !== null && summary.alive.length === 0 ? "warn" : tone}
        title={
          <>
            Rev {live.revision} is in force{summary === null ? "" : `, ${ackWords(summary)}`}.
          </>
        }
        actions={
          <Button kind="primary" onClick={onEdit}>
            {hasDraft ? "Continue the draft" : "Edit policy"}
          </Button>
        }
      >
        {live.author}, {fullTime(live.publishedAtMs, tz)} {zoneLabel(tz)}: {live.reason}
      </Notice>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_432px] gap-2 max-[1100px]:grid-cols-1">
        <Panel className="min-h-64 max-[1100px]:h-120">
          <PanelHead
            title="Text"
            note={`as published, comments included, ${counted(live.source.split("\n").length, "line")}`}
          />
          <div className="min-h-0 flex-1 border-t">
            <YamlPane label={`Policy rev ${live.revision}`} value={live.source} />
          </div>
        </Panel>
        <div className="grid min-h-0 grid-rows-[minmax(0,1fr)_272px] gap-2 max-[1100px]:grid-rows-[auto_272px]">
          <Panel>
            <PanelHead title="Rules by model" note="defaults filled in" />
            <ScrollRegion label="Rules by model" className="border-t">
              {document.success ? (
                <ModelRules document={document.data} />
              ) : (
                <p className="p-3 text-muted">
                  This revision was written by a release with another document format. Its text is shown as it
                  is.
                </p>
              )}
            </ScrollRegion>
          </Panel>
          <RouterAcks />
        </div>
      </div>
    </>
  );
}
