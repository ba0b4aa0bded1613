"use client";

import { useQuery } from "@tanstack/react-query";
import { Button } from "#components/ui/button.tsx";
import { Empty } from "#components/ui/empty.tsx";
import { counted } from "#format/number.ts";
import type { DecisionFilterField } from "#server/decisions/decision-filter.ts";
import { everyDecision } from "#server/decisions/every-decision.ts";
import { useTRPC } from "#trpc/client.tsx";

/** An empty list names what empties it, and offers the way out. */
export function NothingFound({
  fromMs,
  toMs,
  fields,
  onRemove,
  onClear,
}: {
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly fields: readonly {
    readonly id: DecisionFilterField;
    readonly words: string;
  }[];
  readonly onRemove: (id: DecisionFilterField) => void;
  readonly onClear: () => void;
}) {
  const trpc = useTRPC();
  const unfiltered = useQuery(
    trpc.decisions.histogram.queryOptions(
      { filter: everyDecision(fromMs, toMs) },
      { enabled: fields.length > 0 },
    ),
  );
  if (fields.length === 0) {
    return (
      <Empty title="No decision in this range">
        Decisions appear as soon as a router with this database routes a request:
        <code className="mono mt-2 block rounded-md border bg-panel px-3 py-2 text-left text-text">
          curl http://127.0.0.1:8080/v1/chat/completions -d '…'
        </code>
      </Empty>
    );
  }
  return (
    <Empty
      title={`No decision matches ${counted(fields.length, "filter")}`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {fields.map((field) => (
            <Button key={field.id} size="small" onClick={() => onRemove(field.id)}>
              Remove {field.words}
            </Button>
          ))}
          {fields.length > 1 ? (
            <Button size="small" kind="primary" onClick={onClear}>
              Remove all
            </Button>
          ) : null}
        </div>
      }
    >
      {unfiltered.data === undefined
        ? " "
        : `${counted(unfiltered.data.total, "decision")} in this range without them.`}
    </Empty>
  );
}
