import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { counted } from "#format/number.ts";
import type { Draft } from "#policy/draft.ts";
import type { BaseState } from "#policy/draft-state.ts";
import { mergedText } from "#policy/three-way-merge.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";

/** Someone published while this draft was written: what that means, and the way on. */
export function BaseMoved({
  draft,
  live,
  base,
  onRebase,
  onResolve,
}: {
  readonly draft: Draft;
  readonly live: PolicyRevision;
  readonly base: Exclude<BaseState, { kind: "current" }>;
  readonly onRebase: (text: string) => void;
  readonly onResolve: () => void;
}) {
  const who = `${live.author} published rev ${live.revision} while you edit rev ${draft.baseRevision}`;
  if (base.kind === "behind") {
    return (
      <Notice
        tone="warn"
        title={`${who}. Nothing overlaps: ${counted(base.plan.theirs.length, "field")} of theirs, ${counted(base.plan.mine.length, "field")} of yours.`}
        actions={
          <Button
            onClick={() =>
              onRebase(
                mergedText({ base: draft.baseText, theirs: live.source, mine: draft.text }, base.plan, {}),
              )
            }
          >
            Rebase onto rev {live.revision}
          </Button>
        }
      />
    );
  }
  if (base.kind === "conflict") {
    const count = base.plan.conflicts.length;
    return (
      <Notice
        tone="warn"
        title={`${who}, and ${counted(count, "field")} ${count === 1 ? "was" : "were"} changed by both. Your text is kept.`}
        actions={<Button onClick={onResolve}>Resolve {counted(count, "field")}</Button>}
      />
    );
  }
  return (
    <Notice
      tone="warn"
      title={`${who}. Fix the problems in your text to compare the two. Your text is kept.`}
    />
  );
}
