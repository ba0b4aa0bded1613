"use client";

import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { counted } from "#format/number.ts";
import type { Draft } from "#policy/draft.ts";
import type { FieldChange } from "#policy/semantic-diff.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";

/** What the draft is, in one sentence, with the reason and the one verb. */
export function DraftHead({
  draft,
  live,
  changes,
  problems,
  isBehind,
  roleBlock,
  publishBlock,
  isPublishing,
  onReason,
  onDiscard,
  onPublish,
}: {
  readonly draft: Draft | null;
  readonly live: PolicyRevision;
  readonly changes: readonly FieldChange[] | null;
  readonly problems: number;
  readonly isBehind: boolean;
  /** Why this person may not publish at all; drafting is open to everyone. */
  readonly roleBlock: string | null;
  readonly publishBlock: string | null;
  readonly isPublishing: boolean;
  readonly onReason: (reason: string) => void;
  readonly onDiscard: () => void;
  readonly onPublish: () => void;
}) {
  const next = live.revision + 1;
  return (
    <Notice
      isAnswer
      tone={draft === null ? "info" : problems > 0 ? "crit" : "draft"}
      title={sentence({ draft, next, changes, problems, isBehind, live: live.revision })}
      actions={
        draft === null ? null : (
          <form
            className="flex max-w-full flex-wrap items-center gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (publishBlock === null && !isPublishing) onPublish();
            }}
          >
            <label className="flex min-w-0 items-center gap-2">
              <span className="text-label text-muted">Why</span>
              <input
                value={draft.reason}
                maxLength={500}
                placeholder="needed, shown in the history"
                onChange={(event) => onReason(event.target.value)}
                className="h-7 w-64 min-w-0 rounded-md border border-ctl bg-bg px-2 text-label"
              />
            </label>
            <Button kind="quiet" onClick={onDiscard}>
              Discard
            </Button>
            <Button type="submit" kind="primary" disabledReason={publishBlock} disabled={isPublishing}>
              {isPublishing ? "Publishing…" : `Publish rev ${next}`}
            </Button>
          </form>
        )
      }
    >
      {roleBlock === null
        ? undefined
        : "You may draft; it stays in this tab. Publishing needs the role admin."}
    </Notice>
  );
}

function sentence(input: {
  readonly draft: Draft | null;
  readonly next: number;
  readonly live: number;
  readonly changes: readonly FieldChange[] | null;
  readonly problems: number;
  readonly isBehind: boolean;
}): string {
  const { draft, next, live, changes, problems, isBehind } = input;
  if (draft === null) return `You see rev ${live}, in force. Type to start a draft.`;
  if (problems > 0 || changes === null)
    return `The draft has ${counted(problems, "problem")}; routing stays on rev ${live}.`;
  if (isBehind) return `The draft is based on rev ${draft.baseRevision}; rev ${live} is in force.`;
  if (changes.length === 0) return `The draft changes wording only; rev ${live} means the same.`;
  return `Draft rev ${next} changes ${counted(changes.length, "field")} of rev ${live}.`;
}
