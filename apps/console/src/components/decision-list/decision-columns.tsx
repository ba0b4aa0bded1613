import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import { Status } from "#components/ui/status.tsx";
import { millis, percent } from "#format/number.ts";
import { clockMs } from "#format/time.ts";
import type { DecisionRow } from "#server/decisions/list-decisions.ts";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { reasonColour, reasonWord } from "./reason-look.ts";
import { costWords, shortSession } from "./short-names.ts";

export const decisionFeatures = tableFeatures({ columnVisibilityFeature });
const helper = createColumnHelper<typeof decisionFeatures, DecisionRow>();

/** Widest bar of the slower-than-best column, pixels. */
const BAR = 48;

/** Warn when the first token came this much later than predicted, and by more than noise. */
const LATE_SHARE = 1.1;
const LATE_MS = 50;

/** Columns of the decisions table. `slowest` scales the bars: the largest loss among the rows at hand. */
export function decisionColumns(tz: string, slowest: number) {
  return helper.columns([
    helper.accessor("decidedAtMs", {
      id: "time",
      header: "Time",
      cell: ({ row }) => <span className="mono">{clockMs(row.original.decidedAtMs, tz)}</span>,
    }),
    helper.accessor("sessionHash", {
      id: "session",
      header: "Session",
      cell: ({ row }) =>
        row.original.sessionHash === null ? (
          <span className="text-muted">none</span>
        ) : (
          <span className="mono">{shortSession(row.original.sessionHash)}</span>
        ),
    }),
    helper.accessor("model", {
      id: "model",
      header: "Model",
      cell: ({ row }) => <span className="block max-w-40 truncate">{row.original.model}</span>,
    }),
    helper.accessor("chosen", {
      id: "replica",
      header: "Replica",
      cell: ({ row }) => (
        <span className="mono block max-w-32 truncate">
          {row.original.chosen ?? <span className="text-muted">none</span>}
        </span>
      ),
    }),
    helper.accessor("reason", {
      id: "reason",
      header: "Reason",
      cell: ({ row }) => {
        const reason = row.original.reason ?? "rejected";
        return (
          <span className="flex items-center gap-2">
            <span
              aria-hidden="true"
              className="size-2.5 flex-none rounded-xs"
              style={{ background: reasonColour(reason) }}
            />
            {row.original.rejectCode === null
              ? reasonWord(reason)
              : `rejected: ${row.original.rejectCode.replaceAll("_", " ")}`}
          </span>
        );
      },
    }),
    helper.accessor("bestOther", {
      id: "other",
      header: "Best other",
      cell: ({ row }) => (
        <span className="mono block max-w-32 truncate">
          {row.original.bestOther ?? <span className="text-muted">–</span>}
        </span>
      ),
    }),
    helper.accessor("margin", {
      id: "slower",
      header: "Slower than best",
      cell: ({ row }) => <SlowerThanBest row={row.original} slowest={slowest} />,
    }),
    helper.accessor("predictedTtftMs", {
      id: "predicted",
      header: "TTFT pred.",
      cell: ({ row }) => millis(row.original.predictedTtftMs),
    }),
    helper.accessor("ttftMs", {
      id: "actual",
      header: "Actual",
      cell: ({ row }) => {
        const { ttftMs, predictedTtftMs } = row.original;
        const isLate =
          ttftMs !== null &&
          predictedTtftMs !== null &&
          ttftMs > predictedTtftMs * LATE_SHARE &&
          ttftMs - predictedTtftMs > LATE_MS;
        return (
          <span
            className={isLate ? "text-warn" : undefined}
            title={isLate ? "over 10 % later than predicted" : undefined}
          >
            {millis(ttftMs)}
          </span>
        );
      },
    }),
    helper.accessor("hitRate", {
      id: "hit",
      header: "Hit",
      cell: ({ row }) => percent(row.original.hitRate),
    }),
    helper.accessor("outcome", {
      id: "outcome",
      header: "Outcome",
      cell: ({ row }) => {
        const { word, tone } = OUTCOME_LOOK[row.original.outcome];
        return tone === "ok" ? (
          <span className="text-muted">{word}</span>
        ) : (
          <Status tone={tone}>{word}</Status>
        );
      },
    }),
  ]);
}

function SlowerThanBest({ row, slowest }: { readonly row: DecisionRow; readonly slowest: number }) {
  if (row.margin === null) {
    return <span className="text-muted">{row.chosen === null ? "–" : "the only one"}</span>;
  }
  if (row.margin >= 0) return <span className="text-muted">it was best</span>;
  const loss = -row.margin;
  return (
    <span className="flex items-center gap-1.5">
      <span
        aria-hidden="true"
        className="h-2 flex-none rounded-[1px]"
        style={{
          width: Math.max(2, Math.min(1, loss / Math.max(slowest, 1e-9)) * BAR),
          background: reasonColour(row.reason ?? "rejected"),
        }}
      />
      {costWords(row.strategy, loss)}
    </span>
  );
}
