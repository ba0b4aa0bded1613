"use client";

import type { DecisionRecord } from "@evenkeel/db/decision-record";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { shortSession } from "#components/decision-list/short-names.ts";
import { DrawerFrame } from "#components/drawer-frame.tsx";
import { pageHref } from "#components/shell/pages.ts";
import { Button } from "#components/ui/button.tsx";
import { Empty } from "#components/ui/empty.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Tag } from "#components/ui/tag.tsx";
import { grouped, millis } from "#format/number.ts";
import { clockMs, fullTime, zoneLabel } from "#format/time.ts";
import { useTRPC } from "#trpc/client.tsx";
import { AttemptRows } from "./attempt-rows.tsx";
import { CandidateRows } from "./candidate-rows.tsx";
import { decisionHeadline } from "./decision-headline.ts";
import { PredictedActual } from "./predicted-actual.tsx";
import { termLooks } from "./term-look.ts";
import { TermPair } from "./term-pair.tsx";

/** One decision: the sentence, the terms that made it, everyone who was considered, and what came of it. */
export function DecisionDrawer({
  id,
  tz,
  onClose,
  onSession,
}: {
  readonly id: string;
  readonly tz: string;
  readonly onClose: () => void;
  readonly onSession: (sessionHash: string) => void;
}) {
  const trpc = useTRPC();
  // A stored decision never changes.
  const { data, error, refetch } = useQuery(
    trpc.decisions.byId.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <DrawerFrame
      title="Decision"
      subject={id}
      note={
        data ? (
          <span title={`${fullTime(data.record.decision.decidedAtMs, tz)} ${zoneLabel(tz)}`}>
            {clockMs(data.record.decision.decidedAtMs, tz)} {zoneLabel(tz)}
          </span>
        ) : undefined
      }
      width={640}
      walkKeys
      onClose={onClose}
    >
      {data ? (
        <DecisionBody record={data.record} termNames={data.termNames} onSession={onSession} />
      ) : error ? (
        <Empty
          title="This decision cannot be shown"
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {error.message}
        </Empty>
      ) : (
        <DecisionSkeleton />
      )}
    </DrawerFrame>
  );
}

function DecisionBody({
  record,
  termNames,
  onSession,
}: {
  readonly record: DecisionRecord;
  readonly termNames: readonly string[];
  readonly onSession: (sessionHash: string) => void;
}) {
  const { decision, sessionHash } = record;
  const terms = termLooks(decision.strategy, termNames);
  const { headline, sentence } = decisionHeadline(record);
  const [own, runnerUp = null] = decision.kind === "routed" ? decision.candidates : [];
  const promptTokens = record.promptTokens ?? record.promptTokensPredicted;
  return (
    <>
      <div className="flex-none px-4 pt-2.5 pb-2">
        <p className="text-answer leading-6 font-semibold tracking-tight break-words">{headline}</p>
        {sentence === "" ? null : <p className="mt-0.5 break-words text-muted">{sentence}</p>}
      </div>
      <Facts record={record} promptTokens={promptTokens} onSession={onSession} />
      {own === undefined ? null : (
        <TermPair
          own={own}
          other={runnerUp}
          terms={terms}
          promptTokens={promptTokens}
          isOtherCheaper={runnerUp !== null && runnerUp.cost < own.cost}
        />
      )}
      <CandidateRows
        key={record.id}
        candidates={decision.candidates}
        filtered={decision.filtered}
        terms={terms}
        chosen={decision.kind === "routed" ? decision.chosen : null}
        against={runnerUp?.replica ?? null}
        hasLegend={own === undefined}
      />
      <PredictedActual record={record} />
      <AttemptRows record={record} />
      <footer className="sticky bottom-0 mt-auto flex flex-none gap-2 border-t bg-panel px-4 py-2">
        {sessionHash === null ? null : (
          <Button kind="primary" onClick={() => onSession(sessionHash)}>
            Decisions of {shortSession(sessionHash)}
          </Button>
        )}
        {decision.kind === "routed" ? <ReplicaLink replica={decision.chosen} /> : null}
        <span className="flex-1" />
        <CopyJson record={record} />
      </footer>
    </>
  );
}

function Facts({
  record,
  promptTokens,
  onSession,
}: {
  readonly record: DecisionRecord;
  readonly promptTokens: number;
  readonly onSession: (sessionHash: string) => void;
}) {
  const params = useSearchParams();
  const { decision, sessionHash } = record;
  const policies = pageHref("/policies", params);
  const revision = `${policies}${policies.includes("?") ? "&" : "?"}tab=versions&rev=${decision.policyRevision}`;
  return (
    <dl className="flex flex-none flex-wrap items-center gap-x-4 gap-y-1 px-4 pb-2 text-label">
      <Fact name="Session">
        {sessionHash === null ? (
          <span className="text-muted">none named</span>
        ) : (
          <button
            type="button"
            className="mono text-accent hover:underline"
            onClick={() => onSession(sessionHash)}
          >
            {shortSession(sessionHash)}
          </button>
        )}
      </Fact>
      <Fact name="Model">
        <span className="inline-block max-w-56 truncate align-bottom" title={record.model}>
          {record.model}
        </span>
      </Fact>
      {decision.pool === null ? null : <Fact name="Pool">{decision.pool}</Fact>}
      {decision.arm === null ? null : <Fact name="Arm">{decision.arm}</Fact>}
      <Fact name="Prompt">{grouped(promptTokens)} tok</Fact>
      {decision.kind === "routed" ? (
        <Fact name="Expected output">{grouped(decision.predictedOutputTokens)} tok</Fact>
      ) : null}
      <Fact name="Policy">
        <Link
          className="text-accent underline decoration-dotted underline-offset-2 hover:decoration-solid"
          href={revision}
        >
          rev {decision.policyRevision}
        </Link>
        , {decision.strategy}
      </Fact>
      <Fact name="Router">
        <span className="mono">{record.routerId}</span>, {grouped(record.decideUs)} µs
      </Fact>
      {record.heldMs > 0 ? <Fact name="Held">{millis(record.heldMs)}</Fact> : null}
      {record.isStreaming ? null : <Tag>not streamed</Tag>}
      {decision.kind === "routed" && decision.isPanic ? <Tag tone="crit">■ panic mode</Tag> : null}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function ReplicaLink({ replica }: { readonly replica: string }) {
  const params = useSearchParams();
  const href = pageHref("/fleet", params);
  return (
    <Link
      href={`${href}${href.includes("?") ? "&" : "?"}open=${encodeURIComponent(replica)}`}
      className="inline-flex h-7 max-w-56 items-center rounded-md border border-ctl px-3 text-label font-medium hover:bg-hover"
    >
      <span className="truncate">{replica} in the fleet</span>
    </Link>
  );
}

function CopyJson({ record }: { readonly record: DecisionRecord }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      kind="quiet"
      onClick={() =>
        void navigator.clipboard.writeText(JSON.stringify(record, null, 2)).then(() => setIsCopied(true))
      }
    >
      {isCopied ? "Copied" : "Copy JSON"}
    </Button>
  );
}

function DecisionSkeleton() {
  return (
    <div className="flex flex-col gap-3 p-4" role="status">
      <span className="sr-only">Reading the decision</span>
      <Skeleton className="h-6 w-4/5" />
      <Skeleton className="h-9" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-56" />
      <Skeleton className="h-60" />
      <Skeleton className="h-16" />
    </div>
  );
}
