"use client";

import type { Candidate, FilteredReplica } from "@evenkeel/scheduler/decision";
import { FILTER_LABELS } from "@evenkeel/scheduler/explain";
import { useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { counted, grouped, percent } from "#format/number.ts";
import { signalAge, type TermLook } from "./term-look.ts";

/** Shown before the rest is folded. */
const FIRST = 6;

/** Every candidate by cost, with its terms stacked; and those that were filtered out, with the reason. */
export function CandidateRows({
  candidates,
  filtered,
  terms,
  chosen,
  against,
  hasLegend,
}: {
  readonly candidates: readonly Candidate[];
  readonly filtered: readonly FilteredReplica[];
  readonly terms: readonly TermLook[];
  readonly chosen: string | null;
  /** The replica the chosen one is compared with. */
  readonly against: string | null;
  /** Whether the colours are named here, because no comparison above does. */
  readonly hasLegend: boolean;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const ranked = candidates
    .toSorted((a, b) => a.cost - b.cost)
    .map((candidate, at) => ({ candidate, rank: at + 1 }));
  const own = ranked.find(({ candidate }) => candidate.replica === chosen);
  const isFolded = !isOpen && ranked.length > FIRST + 2;
  const shown = isFolded ? ranked.slice(0, FIRST) : ranked;
  const rest = isFolded ? ranked.slice(FIRST).filter((one) => one !== own) : [];
  const isOwnBelow = isFolded && own !== undefined && own.rank > FIRST;
  // Bars are scaled to what is shown, so that one hopeless replica does not flatten the others.
  const largest = [...shown, ...(isOwnBelow ? [own] : [])].reduce(
    (most, { candidate }) => Math.max(most, candidate.cost),
    0,
  );
  const used = terms.filter(({ index }) => candidates.some((candidate) => candidate.terms[index]));
  return (
    <section aria-label="Candidates" className="flex-none border-t pb-1">
      <details className="group px-4 text-label">
        <summary className="flex min-h-7 list-none flex-wrap items-center gap-x-2">
          <h3 className="font-semibold">{counted(candidates.length, "candidate")}</h3>
          <span className="text-micro text-muted">{filteredWords(candidates.length, filtered)}</span>
          {filtered.length === 0 ? null : (
            <span className="text-micro text-accent group-open:hidden">which</span>
          )}
          {hasLegend ? <TermLegend terms={used} /> : null}
        </summary>
        {filtered.length === 0 ? null : <Filtered filtered={filtered} />}
      </details>
      <table className="w-full table-fixed border-collapse text-label">
        <caption className="sr-only">Candidates by cost</caption>
        <colgroup>
          <col className="w-9" />
          <col className="w-[88px]" />
          <col />
          <col className="w-[68px]" />
          <col className="w-[76px]" />
          <col className="w-12" />
          <col className="w-16" />
          <col className="w-16" />
        </colgroup>
        <thead className="text-micro text-muted [&_th]:h-[22px] [&_th]:px-1 [&_th]:font-normal">
          <tr>
            <th scope="col">
              <span className="sr-only">rank</span>
            </th>
            <th scope="col">
              <span className="sr-only">replica</span>
            </th>
            <th scope="col">
              <span className="sr-only">terms</span>
            </th>
            <th scope="col" className="text-right">
              cost {terms[0]?.unit}
            </th>
            <th scope="col" className="truncate text-right">
              {chosen === null ? "" : `to ${chosen}`}
            </th>
            <th scope="col" className="text-right">
              KV
            </th>
            <th scope="col" className="text-right">
              cached
            </th>
            <th scope="col" className="!pr-4 text-right">
              age
            </th>
          </tr>
        </thead>
        <tbody className="[&_td]:h-[22px] [&_td]:px-1">
          {shown.map(({ candidate, rank }) => (
            <Row
              key={candidate.replica}
              {...{ candidate, rank, terms: used, largest }}
              own={own?.candidate ?? null}
              against={against}
            />
          ))}
          {rest.length === 0 ? null : (
            <tr>
              <td />
              <td colSpan={2}>
                <button type="button" className="text-accent hover:underline" onClick={() => setIsOpen(true)}>
                  {rest.length} more
                </button>
              </td>
              <td colSpan={2} className="text-right text-muted">
                {grouped(rest[0]?.candidate.cost ?? 0)} to {grouped(rest.at(-1)?.candidate.cost ?? 0)}
              </td>
              <td colSpan={3} />
            </tr>
          )}
          {isOwnBelow ? (
            <Row
              candidate={own.candidate}
              rank={own.rank}
              terms={used}
              largest={largest}
              own={own.candidate}
              against={against}
            />
          ) : null}
        </tbody>
      </table>
    </section>
  );
}

function Row({
  candidate,
  rank,
  terms,
  largest,
  own,
  against,
}: {
  readonly candidate: Candidate;
  readonly rank: number;
  readonly terms: readonly TermLook[];
  readonly largest: number;
  readonly own: Candidate | null;
  readonly against: string | null;
}) {
  const isOwn = candidate === own;
  const gap = own === null ? null : candidate.cost - own.cost;
  const isStale = candidate.notes.length > 0;
  return (
    <tr className={isOwn ? "bg-accent-soft" : "hover:bg-hover"}>
      <td className="text-right text-muted">{rank}</td>
      <td
        title={candidate.replica}
        className={classNames(
          "mono truncate",
          isOwn ? "text-hot" : candidate.replica === against ? "text-cool" : undefined,
        )}
      >
        {candidate.replica}
      </td>
      <td>
        <span className="flex h-3 gap-px">
          {terms.map((term) => {
            const value = Math.max(0, candidate.terms[term.index] ?? 0);
            const share = largest === 0 ? 0 : value / largest;
            return share === 0 ? null : (
              <i
                key={term.name}
                className="block h-3"
                title={`${term.name} ${grouped(value)} ${term.unit}`}
                style={{ width: `${share * 100}%`, background: term.colour }}
              />
            );
          })}
        </span>
      </td>
      <td className="text-right font-medium">{grouped(candidate.cost)}</td>
      <td className="text-right text-muted">
        {isOwn ? "chosen" : gap === null ? "" : `${gap > 0 ? "+" : ""}${grouped(gap)}`}
      </td>
      <td className="text-right">{percent(candidate.kvOccupancy)}</td>
      <td className="text-right text-muted">{grouped(candidate.cachedTokens)}</td>
      <td className={classNames("!pr-4 text-right", isStale ? "text-warn" : "text-muted")}>
        {candidate.signalAgeMs === null ? "none" : signalAge(candidate)}
      </td>
    </tr>
  );
}

/** `13 of 48 filtered: belongs to another arm × 12, draining (r-29)` */
function filteredWords(candidates: number, filtered: readonly FilteredReplica[]): string {
  if (filtered.length === 0) return "none filtered out";
  const byReason = Map.groupBy(filtered, ({ reason }) => reason);
  const parts = [...byReason].map(([reason, replicas]) => {
    const only = replicas.length === 1 && replicas[0] ? `(${replicas[0].replica})` : `× ${replicas.length}`;
    return `${FILTER_LABELS[reason]} ${only}`;
  });
  return `${filtered.length} of ${candidates + filtered.length} filtered: ${parts.join(", ")}`;
}

function TermLegend({ terms }: { readonly terms: readonly TermLook[] }) {
  return (
    <span className="ml-auto flex flex-wrap gap-x-3 text-micro text-muted">
      {terms.map((term) => (
        <span key={term.name} className="flex items-center gap-1">
          <span aria-hidden="true" className="size-2.5 rounded-xs" style={{ background: term.colour }} />
          {term.name}
        </span>
      ))}
    </span>
  );
}

function Filtered({ filtered }: { readonly filtered: readonly FilteredReplica[] }) {
  const byReason = Map.groupBy(filtered, ({ reason }) => reason);
  return (
    <dl className="mb-2 flex flex-col gap-1 rounded-md bg-raise px-2 py-1.5">
      {[...byReason].map(([reason, replicas]) => (
        <div key={reason} className="grid grid-cols-[160px_1fr] gap-2">
          <dt className="text-muted">{FILTER_LABELS[reason]}</dt>
          <dd className="mono break-words">{replicas.map(({ replica }) => replica).join(", ")}</dd>
        </div>
      ))}
    </dl>
  );
}
