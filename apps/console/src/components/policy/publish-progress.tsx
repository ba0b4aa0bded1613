"use client";

import { Button } from "#components/ui/button.tsx";
import { Notice, type NoticeTone } from "#components/ui/notice.tsx";
import { counted } from "#format/number.ts";
import { age } from "#format/time.ts";
import { useLiveTopic } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";
import { type AckSummary, ackSummary } from "#policy/ack-summary.ts";

/** How far a revision just published has come, router by router, as it happens. */
export function PublishProgress({
  revision,
  onClose,
}: {
  readonly revision: number;
  readonly onClose: () => void;
}) {
  const state = useLiveTopic("policy", true);
  const now = useNow();
  const summary = state?.live?.revision === revision && now !== 0 ? ackSummary(state, now) : null;
  const { tone, title, note } = progress(revision, summary, now - (state?.live?.publishedAtMs ?? now));
  return (
    <Notice
      isAnswer
      tone={tone}
      title={title}
      actions={
        <>
          {summary === null || summary.alive.length === 0 ? null : <Steps summary={summary} />}
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {note}
    </Notice>
  );
}

function progress(
  revision: number,
  summary: AckSummary | null,
  sinceMs: number,
): { readonly tone: NoticeTone; readonly title: string; readonly note: string } {
  if (summary === null)
    return { tone: "info", title: `Rev ${revision} is published.`, note: "Waiting for the routers' word." };
  const { alive, applied, refused, waiting, slowestMs } = summary;
  if (alive.length === 0) {
    return {
      tone: "warn",
      title: `Rev ${revision} is published; no router is connected.`,
      note: "A router applies it when it starts.",
    };
  }
  if (refused.length > 0) {
    const first = refused[0];
    return {
      tone: "crit",
      title: `Rev ${revision} is refused by ${counted(refused.length, "router")}; they keep the last good policy.`,
      note: first === undefined ? "" : `${first.id}: ${first.ack?.problem ?? "no reason given"}`,
    };
  }
  if (waiting.length === 0) {
    return {
      tone: "ok",
      title: `Rev ${revision} is applied by ${applied.length} of ${counted(alive.length, "router")} in ${((slowestMs ?? 0) / 1000).toFixed(1)} s.`,
      note: "Later decisions carry this revision.",
    };
  }
  const laggards = waiting
    .slice(0, 3)
    .map((router) => router.id)
    .join(", ");
  return {
    tone: sinceMs > 10_000 ? "warn" : "info",
    title: `Rev ${revision} is published; applied by ${applied.length} of ${counted(alive.length, "router")}.`,
    note: `Waiting for ${laggards}${waiting.length > 3 ? ` and ${waiting.length - 3} more` : ""}, ${age(sinceMs)}.`,
  };
}

/** One mark per router: filled when it has the revision. */
function Steps({ summary }: { readonly summary: AckSummary }) {
  const marks = summary.alive.slice(0, 24);
  return (
    <span className="flex items-center gap-1" aria-hidden="true">
      {marks.map((router) => (
        <span
          key={router.id}
          title={router.id}
          className={
            router.ack?.status === "applied"
              ? "size-2 rounded-full bg-ok"
              : router.ack?.status === "refused"
                ? "size-2 bg-crit"
                : "size-2 rounded-full border border-ctl"
          }
        />
      ))}
    </span>
  );
}
