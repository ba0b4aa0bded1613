"use client";

import { useMemo, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Notice } from "#components/ui/notice.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { counted } from "#format/number.ts";
import { dayClock, zoneLabel } from "#format/time.ts";
import type { Draft } from "#policy/draft.ts";
import type { BaseState } from "#policy/draft-state.ts";
import { valueWords } from "#policy/semantic-diff.ts";
import { type Conflict, mergedText, type Side, type ThreeWay } from "#policy/three-way-merge.ts";
import { useView } from "#search-params/use-view.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";
import { YamlPane } from "./yaml-pane.tsx";

/** Two edits of one base: a pick for each field that both changed, and the text that comes of it. Nothing is lost on the way. */
export function ConflictView({
  draft,
  live,
  base,
  onMerged,
  onDiscard,
  onBack,
}: {
  readonly draft: Draft;
  readonly live: PolicyRevision;
  readonly base: Exclude<BaseState, { kind: "current" }>;
  readonly onMerged: (text: string) => void;
  readonly onDiscard: () => void;
  readonly onBack: () => void;
}) {
  const { tz } = useView();
  const [picks, setPicks] = useState<Readonly<Record<string, Side>>>({});
  const plan = base.kind === "unknown" ? null : base.plan;
  const conflicts = plan?.conflicts ?? [];
  const open = conflicts.filter((conflict) => picks[conflict.key] === undefined).length;
  const merged = useMemo(
    () =>
      plan === null
        ? null
        : mergedText({ base: draft.baseText, theirs: live.source, mine: draft.text }, plan, picks),
    [plan, draft, live, picks],
  );

  return (
    <>
      <Notice
        isAnswer
        tone="warn"
        title={
          plan === null
            ? `Rev ${live.revision} was published while you edited rev ${draft.baseRevision}.`
            : conflicts.length === 0
              ? `Rev ${live.revision} and your draft touch different fields.`
              : `${counted(conflicts.length, "field")} ${conflicts.length === 1 ? "was" : "were"} changed by you and in rev ${live.revision}.`
        }
        actions={
          <>
            <Button kind="quiet" onClick={onBack}>
              Back to my text
            </Button>
            <Button kind="danger" onClick={onDiscard}>
              Drop my draft
            </Button>
            <Button
              kind="primary"
              disabledReason={
                merged === null
                  ? "Fix the problems in your text first."
                  : open > 0
                    ? `Pick a side for ${counted(open, "field")}.`
                    : null
              }
              onClick={() => merged !== null && onMerged(merged)}
            >
              Continue with this text
            </Button>
          </>
        }
      >
        {live.author}, {dayClock(live.publishedAtMs, tz)} {zoneLabel(tz)}: {live.reason}. Nothing was
        published of yours.
      </Notice>
      <div className="grid min-h-0 flex-1 grid-cols-2 gap-2 max-[1100px]:grid-cols-1">
        <Panel>
          <PanelHead
            title={counted(conflicts.length, "conflict")}
            note={plan === null ? "not comparable" : othersWords(plan)}
          />
          <ScrollRegion label="Conflicts">
            {conflicts.map((conflict) => (
              <ConflictRow
                key={conflict.key}
                conflict={conflict}
                revisions={{ base: draft.baseRevision, theirs: live.revision }}
                pick={picks[conflict.key] ?? null}
                onPick={(side) => setPicks((previous) => ({ ...previous, [conflict.key]: side }))}
              />
            ))}
          </ScrollRegion>
        </Panel>
        <Panel className="min-h-80 max-[1100px]:h-120">
          <PanelHead
            title={merged === null ? "Your text" : "Merged text"}
            note={
              merged === null
                ? "kept as it is"
                : `against rev ${live.revision}${open > 0 ? "; open picks show theirs" : ""}`
            }
          />
          <div className="min-h-0 flex-1 border-t">
            <YamlPane
              label={merged === null ? "Your text" : "Merged text"}
              value={merged ?? draft.text}
              comparedWith={merged === null ? undefined : live.source}
            />
          </div>
        </Panel>
      </div>
    </>
  );
}

function othersWords(plan: ThreeWay): string {
  if (plan.mine.length === 0 && plan.theirs.length === 0) return "nothing else differs";
  return `kept besides: ${counted(plan.mine.length, "field")} of yours, ${counted(plan.theirs.length, "field")} of theirs`;
}

function ConflictRow({
  conflict,
  revisions,
  pick,
  onPick,
}: {
  readonly conflict: Conflict;
  readonly revisions: { readonly base: number; readonly theirs: number };
  readonly pick: Side | null;
  readonly onPick: (side: Side) => void;
}) {
  const sides: readonly { readonly side: Side; readonly label: string; readonly value: unknown }[] = [
    { side: "theirs", label: `Theirs, rev ${revisions.theirs}`, value: conflict.theirs },
    { side: "mine", label: "Mine", value: conflict.mine },
    { side: "base", label: `As before, rev ${revisions.base}`, value: conflict.base },
  ];
  return (
    <fieldset className="border-t px-3 py-2.5">
      <legend className="mono float-left mb-1 w-full break-all text-muted">{conflict.key}</legend>
      <div className="clear-both grid grid-cols-3 gap-1">
        {sides.map(({ side, label, value }) => (
          <label
            key={side}
            className={classNames(
              "flex flex-col rounded-md border border-line-2 px-2.5 py-1.5 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent",
              pick === side && "border-accent bg-accent-soft",
            )}
          >
            <span className="flex items-center gap-1.5 text-micro text-muted">
              <input
                type="radio"
                name={conflict.key}
                checked={pick === side}
                onChange={() => onPick(side)}
                className="accent-(--accent)"
              />
              {label}
            </span>
            <span className="font-semibold [overflow-wrap:anywhere]">{valueWords(value)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
