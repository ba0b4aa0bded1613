import type { Candidate } from "@evenkeel/scheduler/decision";
import { NOTE_LABELS } from "@evenkeel/scheduler/explain";
import { classNames } from "#components/ui/class-names.ts";
import { grouped } from "#format/number.ts";
import { type TermLook, termBasis } from "./term-look.ts";

const GRID = "grid grid-cols-[72px_minmax(0,1fr)_52px_152px_52px_minmax(0,1fr)] items-center gap-x-2 px-4";

/** Two candidates side by side: terms as bars from one zero, what each rests on, and how old that is. */
export function TermPair({
  own,
  other,
  terms,
  promptTokens,
  isOtherCheaper,
}: {
  readonly own: Candidate;
  readonly other: Candidate | null;
  readonly terms: readonly TermLook[];
  readonly promptTokens: number;
  readonly isOtherCheaper: boolean;
}) {
  const largest = terms.reduce(
    (most, { index }) => Math.max(most, Math.abs(own.terms[index] ?? 0), Math.abs(other?.terms[index] ?? 0)),
    0,
  );
  const unit = terms[0]?.unit ?? "";
  const gap = other === null ? null : other.cost - own.cost;
  return (
    <section aria-label="Terms of the cost" className="flex-none border-t">
      <div className={classNames(GRID, "h-7 text-label font-semibold")}>
        <h3>Terms</h3>
        <span className="truncate text-hot" title={own.replica}>
          {own.replica}, chosen
        </span>
        <span className="text-right text-micro font-normal text-muted">{unit}</span>
        <span className="text-center text-micro font-normal whitespace-nowrap text-muted">
          signal and age beside
        </span>
        <span className="text-right text-micro font-normal text-muted">{other === null ? "" : unit}</span>
        <span className="truncate text-cool" title={other?.replica}>
          {other === null ? "no other" : `${other.replica}, ${isOtherCheaper ? "cheapest" : "runner-up"}`}
        </span>
      </div>
      {terms.map((term) => {
        const left = own.terms[term.index] ?? 0;
        const right = other?.terms[term.index] ?? 0;
        const isZero = left === 0 && right === 0;
        return (
          <div
            key={term.name}
            className={classNames(GRID, "border-t text-label", isZero ? "h-[22px]" : "h-8")}
            title={term.help}
          >
            <span className="flex items-center gap-1.5 font-medium">
              <span
                aria-hidden="true"
                className="h-2.5 w-1.5 flex-none rounded-xs"
                style={{ background: term.colour }}
              />
              <span className="truncate">{term.name}</span>
            </span>
            {isZero ? <span /> : <Basis term={term.name} candidate={own} promptTokens={promptTokens} />}
            <Amount value={left} />
            <PairBar left={left} right={right} largest={largest} colour={term.colour} />
            {other === null ? <span /> : <Amount value={right} />}
            {other === null || isZero ? (
              <span />
            ) : (
              <Basis term={term.name} candidate={other} promptTokens={promptTokens} />
            )}
          </div>
        );
      })}
      <div className={classNames(GRID, "h-6 border-t border-line-2 bg-raise text-label")}>
        <span className="font-semibold">sum</span>
        <span />
        <span className="text-right font-semibold">{amountWords(own.cost)}</span>
        <span className="text-center text-micro">
          {gap === null ? null : gap < 0 ? (
            <>
              {other?.replica} saves <b>{`${amountWords(-gap)} ${unit}`}</b>
            </>
          ) : (
            <>
              chosen saves <b>{`${amountWords(gap)} ${unit}`}</b>
            </>
          )}
        </span>
        <span className="text-right font-semibold">{other === null ? "" : amountWords(other.cost)}</span>
        <span />
      </div>
      <Notes candidates={other === null ? [own] : [own, other]} />
    </section>
  );
}

function Basis({
  term,
  candidate,
  promptTokens,
}: {
  readonly term: string;
  readonly candidate: Candidate;
  readonly promptTokens: number;
}) {
  const { what, age } = termBasis(term, candidate, promptTokens);
  const isOld = candidate.notes.includes("stale_signal") || candidate.notes.includes("missing_signal");
  return (
    <span className="min-w-0 text-micro leading-[14px]">
      <span className="block truncate">{what}</span>
      <span className={classNames("block truncate", isOld ? "text-warn" : "text-muted")}>{age}</span>
    </span>
  );
}

function Amount({ value }: { readonly value: number }) {
  return (
    <span className={classNames("text-right", value === 0 ? "text-muted" : "font-medium")}>
      {amountWords(value)}
    </span>
  );
}

function amountWords(value: number): string {
  return grouped(value, value !== 0 && Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);
}

function PairBar({
  left,
  right,
  largest,
  colour,
}: {
  readonly left: number;
  readonly right: number;
  readonly largest: number;
  readonly colour: string;
}) {
  const width = (value: number) => `${largest === 0 ? 0 : (Math.abs(value) / largest) * 47}%`;
  return (
    <span aria-hidden="true" className="relative h-full">
      <i
        className="absolute inset-y-2 rounded-l-[1px]"
        style={{ right: "calc(50% + 2px)", width: width(left), background: colour }}
      />
      <i
        className="absolute inset-y-2 rounded-r-[1px]"
        style={{ left: "calc(50% + 2px)", width: width(right), background: colour }}
      />
      <i className="absolute inset-y-0 left-1/2 w-px bg-ctl" />
    </span>
  );
}

/** Said of a candidate whose signals were not what they should be. */
function Notes({ candidates }: { readonly candidates: readonly Candidate[] }) {
  const said = candidates.flatMap((candidate) =>
    candidate.notes.map((note) => ({ replica: candidate.replica, note, words: NOTE_LABELS[note] })),
  );
  if (said.length === 0) return null;
  return (
    <ul className="border-t px-4 py-1 text-micro text-warn">
      {said.map(({ replica, note, words }) => (
        <li key={`${replica} ${note}`}>
          ▲ <span className="mono text-micro">{replica}</span> {words}
        </li>
      ))}
    </ul>
  );
}
