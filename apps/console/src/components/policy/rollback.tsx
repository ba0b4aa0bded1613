"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useRoleBlock } from "#components/shell/viewer-provider.tsx";
import { Button } from "#components/ui/button.tsx";
import { counted } from "#format/number.ts";
import { useEditBlock } from "#live/live-provider.tsx";
import { useTRPC } from "#trpc/client.tsx";
import { failureDetails } from "#trpc/failure-details.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";
import { problemPath } from "./problem-path.ts";

/** Publishes an earlier revision's text again, with a reason. Says what it does before it does it. */
export function Rollback({
  target,
  live,
  changes,
}: {
  readonly target: PolicyRevision;
  readonly live: PolicyRevision;
  readonly changes: number;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const [outcome, setOutcome] = useState<string | null>(null);
  const block = useRoleBlock("operator");
  const storeBlock = useEditBlock();
  const rollback = useMutation(
    trpc.policies.rollback.mutationOptions({
      onSuccess: (result) => {
        if (result.kind === "published") {
          setReason("");
          setOutcome(`Rev ${result.revision} is published with the text of rev ${target.revision}.`);
        } else if (result.kind === "conflict") {
          setOutcome(
            `${result.live.author} published rev ${result.live.revision} just now. Nothing was rolled back; look at the changes again.`,
          );
        } else {
          const first = result.problems[0];
          setOutcome(
            `This release no longer accepts rev ${target.revision}: ${first === undefined ? "it is invalid" : `${problemPath(first.path, target.document)}: ${first.message}`}. Routing stays on rev ${live.revision}.`,
          );
        }
        void queryClient.invalidateQueries({ queryKey: trpc.policies.pathKey() });
      },
    }),
  );
  const others = live.revision - target.revision;
  const disabledReason = block ?? storeBlock ?? (reason.trim() === "" ? "Say why, in a few words." : null);
  return (
    <form
      className="flex flex-none flex-col gap-2 border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledReason !== null) return;
        setOutcome(null);
        rollback.mutate({ toRevision: target.revision, baseRevision: live.revision, reason });
      }}
    >
      <p>
        Going back changes {counted(changes, "field")} of rev {live.revision}
        {others > 1 ? ` and undoes ${counted(others, "later revision")}` : ""}.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex min-w-0 flex-1 items-center gap-2">
          <span className="text-label text-muted">Why</span>
          <input
            value={reason}
            maxLength={500}
            placeholder="needed, shown in the history"
            onChange={(event) => setReason(event.target.value)}
            className="h-7 min-w-0 flex-1 rounded-md border border-ctl bg-bg px-2 text-label"
          />
        </label>
        <Button type="submit" kind="primary" disabledReason={disabledReason} disabled={rollback.isPending}>
          Roll back to rev {target.revision} as rev {live.revision + 1}
        </Button>
      </div>
      <p role="status" className="empty:hidden">
        {rollback.isError ? `Not rolled back. ${failureDetails(rollback.error).message}` : outcome}
      </p>
    </form>
  );
}
