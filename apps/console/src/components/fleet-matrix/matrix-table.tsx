"use client";

import { Status } from "#components/ui/status.tsx";
import { grouped } from "#format/number.ts";
import { age } from "#format/time.ts";
import { isOutlier, type RankedRow, type RowGroup, type Sort } from "./group-rows.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { deltaUnit, fullValue, signedDelta } from "./matrix-value.ts";
import { isStaleNow, stateGlyph } from "./state-glyph.ts";

const COLUMNS: readonly { readonly sort: Sort | null; readonly title: string; readonly isNumber: boolean }[] =
  [
    { sort: "name", title: "Replica", isNumber: false },
    { sort: null, title: "State", isNumber: false },
    { sort: "now", title: "Now", isNumber: true },
    { sort: "divergence", title: "Δ to median", isNumber: true },
    { sort: null, title: "z", isNumber: true },
    { sort: "max", title: "Highest in range", isNumber: true },
    { sort: "inflight", title: "In flight", isNumber: true },
    { sort: null, title: "Signal age", isNumber: true },
  ];

/** The matrix as a table: same groups, order and filter, every newest value in words. */
export function MatrixTable({
  groups,
  metric,
  asOfMs,
  sort,
  descending,
  selected,
  caption,
  onSort,
  onOpen,
}: {
  readonly groups: readonly RowGroup[];
  readonly metric: MatrixMetric;
  readonly asOfMs: number;
  readonly sort: Sort;
  readonly descending: boolean;
  readonly selected: readonly string[];
  readonly caption: string;
  readonly onSort: (sort: Sort) => void;
  readonly onOpen: (replica: string) => void;
}) {
  return (
    <section
      className="min-h-0 flex-1 overflow-auto rounded-md border"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Replicas as a table"
    >
      <table className="table-dense">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-[1] bg-panel">
          <tr>
            {COLUMNS.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={column.isNumber ? "!text-right" : undefined}
                aria-sort={column.sort === sort ? (descending ? "descending" : "ascending") : undefined}
              >
                <SortHead column={column} sort={sort} descending={descending} onSort={onSort} />
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key}>
            <tr>
              <th colSpan={COLUMNS.length} scope="rowgroup" className="bg-raise !text-text">
                <span className="font-semibold">{group.title}</span>
                <span className="ml-2 font-normal text-muted">{group.subtitle}</span>
                {group.median === null ? null : (
                  <span className="ml-2 font-normal text-muted">
                    median {fullValue(metric, group.median)}
                  </span>
                )}
              </th>
            </tr>
            {group.rows.map((ranked) => (
              <TableRow
                key={ranked.row.id}
                ranked={ranked}
                metric={metric}
                asOfMs={asOfMs}
                isSelected={selected.includes(ranked.row.id)}
                onOpen={onOpen}
              />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function SortHead({
  column,
  sort,
  descending,
  onSort,
}: {
  readonly column: (typeof COLUMNS)[number];
  readonly sort: Sort;
  readonly descending: boolean;
  readonly onSort: (sort: Sort) => void;
}) {
  const { sort: own, title } = column;
  if (own === null) return title;
  return (
    <button type="button" className="h-6 hover:text-text" onClick={() => onSort(own)}>
      {title}
      <span aria-hidden="true"> {own === sort ? (descending ? "↓" : "↑") : ""}</span>
    </button>
  );
}

function TableRow({
  ranked,
  metric,
  asOfMs,
  isSelected,
  onOpen,
}: {
  readonly ranked: RankedRow;
  readonly metric: MatrixMetric;
  readonly asOfMs: number;
  readonly isSelected: boolean;
  readonly onOpen: (replica: string) => void;
}) {
  const { row } = ranked;
  const sign = stateGlyph(ranked, metric, isStaleNow(ranked, asOfMs));
  return (
    <tr data-selected={isSelected}>
      <th scope="row" className="!h-7 !text-label !font-normal !text-text">
        <button
          type="button"
          className="mono max-w-80 truncate hover:underline"
          onClick={() => onOpen(row.id)}
        >
          {row.id}
        </button>
      </th>
      <td>
        <Status tone={sign.tone === "muted" ? "unknown" : sign.tone}>{sign.word}</Status>
      </td>
      <td className="text-right font-medium">{fullValue(metric, row.now)}</td>
      <td className="text-right text-muted">
        {ranked.delta === null ? "–" : `${signedDelta(metric, ranked.delta)} ${deltaUnit(metric)}`.trimEnd()}
      </td>
      <td className={`text-right ${isOutlier(ranked) ? "text-crit" : "text-muted"}`}>
        {ranked.z === null ? "–" : grouped(ranked.z, 1)}
      </td>
      <td className="text-right">{fullValue(metric, ranked.max)}</td>
      <td className="text-right">{row.inFlight ?? "–"}</td>
      <td className="text-right text-muted">
        {row.signalAgeMs === null
          ? "–"
          : row.signalAgeMs < 10_000
            ? `${(row.signalAgeMs / 1000).toFixed(1)} s`
            : age(row.signalAgeMs)}
      </td>
    </tr>
  );
}
