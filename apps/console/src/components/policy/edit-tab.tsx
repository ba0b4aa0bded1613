"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useRoleBlock, useViewer } from "#components/shell/viewer-provider.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { Status } from "#components/ui/status.tsx";
import { counted } from "#format/number.ts";
import { useEditBlock } from "#live/live-provider.tsx";
import { checkSource } from "#policy/check-source.ts";
import type { Draft } from "#policy/draft.ts";
import { draftState } from "#policy/draft-state.ts";
import type { PlacedProblem } from "#policy/yaml-source.ts";
import { useTRPC } from "#trpc/client.tsx";
import { failureDetails } from "#trpc/failure-details.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";
import { BaseMoved } from "./base-moved.tsx";
import { ChangesPanel } from "./changes-panel.tsx";
import { ConflictView } from "./conflict-view.tsx";
import { DraftHead } from "./draft-head.tsx";
import { ProblemList } from "./problem-list.tsx";
import { PublishProgress } from "./publish-progress.tsx";
import { RouterAcks } from "./router-acks.tsx";
import { YamlPane } from "./yaml-pane.tsx";

interface EditTabProps {
  readonly live: PolicyRevision;
  readonly draft: Draft | null;
  readonly setDraft: (change: (draft: Draft | null) => Draft | null) => void;
}

/** Editing: text, what it changes, and publishing it. The draft belongs to this tab and survives everything but its own end. */
export function EditTab({ live, draft, setDraft }: EditTabProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [published, setPublished] = useState<number | null>(null);
  const [isResolving, setIsResolving] = useState(false);
  const [refusals, setRefusals] = useState<readonly PlacedProblem[]>([]);
  const [goTo, setGoTo] = useState<{ readonly offset: number } | null>(null);
  const viewer = useViewer();
  const roleBlock = useRoleBlock("admin");
  const storeBlock = useEditBlock();

  const shown = useMemo(
    (): Draft =>
      draft ?? { text: live.source, baseRevision: live.revision, baseText: live.source, reason: "" },
    [draft, live],
  );
  const settled = useDeferredValue(shown);
  const { checked, changes, base } = useMemo(() => draftState(settled, live), [settled, live]);
  const problems = checked.problems.length > 0 ? checked.problems : refusals;

  const publish = useMutation(
    trpc.policies.publish.mutationOptions({
      onSuccess: (result, { source, baseRevision, reason }) => {
        if (result.kind === "published") {
          // What was published is what is live: the old text must not flash up until it is read back.
          const now: PolicyRevision = {
            ...live,
            revision: result.revision,
            kind: "publish",
            source,
            document: checkSource(source).policy?.document ?? live.document,
            baseRevision,
            ofRevision: null,
            author: viewer.name,
            reason,
            publishedAtMs: Date.now(),
          };
          queryClient.setQueryData(trpc.policies.live.queryKey(), now);
          setPublished(result.revision);
          setDraft(() => null);
        } else if (result.kind === "conflict") {
          queryClient.setQueryData(trpc.policies.live.queryKey(), result.live);
          setIsResolving(true);
        } else {
          setRefusals(
            result.problems.map((problem) => ({ ...problem, ...checked.source.placeOf(problem.path) })),
          );
        }
        void queryClient.invalidateQueries({ queryKey: trpc.policies.pathKey() });
      },
    }),
  );

  const hasDraft = draft !== null;
  useEffect(() => {
    if (!hasDraft) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [hasDraft]);

  const setText = (text: string) => {
    setRefusals([]);
    setPublished(null);
    publish.reset();
    setDraft((previous) => {
      const from = previous ?? { baseRevision: live.revision, baseText: live.source, reason: "" };
      // Back to the base and without a reason, there is no draft any more.
      if (text === from.baseText && from.baseRevision === live.revision && from.reason === "") return null;
      return { ...from, text };
    });
  };
  const rebase = (text: string) => {
    setIsResolving(false);
    setDraft((previous) => ({
      text,
      baseRevision: live.revision,
      baseText: live.source,
      reason: previous?.reason ?? "",
    }));
  };

  if (isResolving && draft !== null && base.kind !== "current") {
    return (
      <ConflictView
        draft={draft}
        live={live}
        base={base}
        onMerged={rebase}
        onDiscard={() => {
          setIsResolving(false);
          setDraft(() => null);
        }}
        onBack={() => setIsResolving(false)}
      />
    );
  }

  const publishBlock =
    roleBlock ?? storeBlock ?? whyNotPublish({ draft, problems, changes, base: base.kind });
  return (
    <>
      {published !== null && draft === null ? (
        <PublishProgress revision={published} onClose={() => setPublished(null)} />
      ) : (
        <DraftHead
          draft={draft}
          live={live}
          changes={changes}
          problems={problems.length}
          isBehind={base.kind !== "current"}
          roleBlock={roleBlock}
          publishBlock={publishBlock}
          isPublishing={publish.isPending}
          onReason={(reason) => setDraft((previous) => (previous === null ? null : { ...previous, reason }))}
          onDiscard={() => {
            setRefusals([]);
            publish.reset();
            setDraft(() => null);
          }}
          onPublish={() =>
            publish.mutate({ source: shown.text, baseRevision: shown.baseRevision, reason: shown.reason })
          }
        />
      )}
      {publish.isError ? (
        <div role="alert" className="flex-none rounded-md border border-crit bg-crit-soft px-4 py-2">
          <span className="font-medium text-crit">■ Not published.</span>{" "}
          {failureDetails(publish.error).message} Your text is kept.
        </div>
      ) : null}
      {draft !== null && base.kind !== "current" ? (
        <BaseMoved
          draft={draft}
          live={live}
          base={base}
          onRebase={rebase}
          onResolve={() => setIsResolving(true)}
        />
      ) : null}
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_432px] gap-2 max-[1100px]:grid-cols-1">
        <Panel className="min-h-80 max-[1100px]:h-120">
          <PanelHead title="Policy" note={`based on rev ${shown.baseRevision}`}>
            {problems.length > 0 ? (
              <Status tone="crit" className="text-micro font-medium">
                {counted(problems.length, "problem")}
              </Status>
            ) : (
              <Status tone="ok" className="text-micro font-medium">
                Check passed
              </Status>
            )}
            <span className="text-micro whitespace-nowrap text-muted max-[640px]:hidden">
              ctrl + space completes
            </span>
          </PanelHead>
          <div className="min-h-0 flex-1 border-t">
            <YamlPane
              label="Policy text"
              value={shown.text}
              onChange={setText}
              problems={problems}
              goTo={goTo}
            />
          </div>
          <ProblemList
            problems={problems}
            document={checked.source.document}
            onGo={(problem) => setGoTo({ offset: problem.from })}
          />
        </Panel>
        <div className="grid min-h-0 grid-rows-[minmax(0,1fr)_272px] gap-2 max-[1100px]:grid-rows-[auto_272px]">
          <ChangesPanel live={live} text={settled.text} changes={changes} problems={problems.length} />
          <RouterAcks />
        </div>
      </div>
    </>
  );
}

function whyNotPublish(input: {
  readonly draft: Draft | null;
  readonly problems: readonly PlacedProblem[];
  readonly changes: readonly unknown[] | null;
  readonly base: string;
}): string | null {
  if (input.draft === null) return "Nothing is changed.";
  if (input.problems.length > 0 || input.changes === null) return "Fix the problems first.";
  if (input.base !== "current") return "Bring the draft up to the live revision first.";
  if (input.draft.reason.trim() === "") return "Say why, in a few words.";
  return null;
}
