"use client";

import { FlexRender, useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, useEffect, useMemo, useRef } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { clockMs, zoneLabel } from "#format/time.ts";
import type { DecisionRow } from "#server/decisions/list-decisions.ts";
import { decisionColumns, decisionFeatures } from "./decision-columns.tsx";

const ROW_HEIGHT = 28;
const HEAD_HEIGHT = 24;
const NO_ROWS: DecisionRow[] = [];

interface DecisionTableProps {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: readonly DecisionRow[];
  /** All that match, for screen readers; null while not counted. */
  readonly total: number | null;
  readonly tz: string;
  readonly isLoading: boolean;
  /** Fewer columns, for the width beside a drawer. */
  readonly isNarrow: boolean;
  readonly hidden: readonly string[];
  readonly openId: string | null;
  readonly cursorId: string | null;
  readonly onOpen: (id: string) => void;
  readonly onEnd: () => void;
}

/** Decisions, newest first; only the rows in view are in the page. */
export const DecisionTable = memo(function DecisionTable(props: DecisionTableProps) {
  const { scroller, rows, tz, openId, cursorId, onEnd, isNarrow, hidden } = props;
  const slowest = useMemo(() => rows.reduce((most, row) => Math.max(most, -(row.margin ?? 0)), 0), [rows]);
  const columns = useMemo(() => decisionColumns(tz, slowest), [tz, slowest]);
  const columnVisibility = useMemo(
    () =>
      Object.fromEntries([
        ...hidden.map((id) => [id, false]),
        ...(isNarrow
          ? [
              ["model", false],
              ["outcome", false],
            ]
          : []),
      ]) as Record<string, boolean>, // entries built above are pairs of id and false
    [hidden, isNarrow],
  );
  const table = useTable({
    features: decisionFeatures,
    columns,
    // The table does not write to its data; its type does not say so.
    data: rows.length === 0 ? NO_ROWS : (rows as DecisionRow[]),
    getRowId: (row) => row.id,
    state: { columnVisibility },
  });
  const modelRows = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: modelRows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => modelRows[index]?.id ?? index,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    initialRect: { width: 800, height: 600 },
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);

  useEffect(() => {
    if (last && last.index >= modelRows.length - 20) onEnd();
  }, [last, modelRows.length, onEnd]);
  const scrolledTo = useRef<string | null>(null);
  useEffect(() => {
    // Only a move of the cursor scrolls, not each new row.
    if (cursorId === scrolledTo.current) return;
    scrolledTo.current = cursorId;
    const index = cursorId === null ? -1 : modelRows.findIndex((row) => row.id === cursorId);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [cursorId, modelRows, virtualizer]);

  const before = first ? first.start - HEAD_HEIGHT : 0;
  const after = last ? virtualizer.getTotalSize() - (last.end - HEAD_HEIGHT) : 0;
  const visibleColumns = table.getVisibleLeafColumns().length;
  return (
    <table
      className={classNames(
        "table-dense",
        isNarrow &&
          "[&_td]:!px-1 [&_th]:!px-1 [&_td:first-child]:!pl-3 [&_th:first-child]:!pl-3 [&_td:last-child]:!pr-3 [&_th:last-child]:!pr-3",
      )}
      aria-rowcount={props.total === null ? -1 : props.total + 1}
      aria-busy={props.isLoading}
    >
      <caption className="sr-only">Decisions, newest first</caption>
      <thead className="sticky top-0 z-[1] bg-panel">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} aria-rowindex={1}>
            {group.headers.map((header) => (
              <th
                key={header.id}
                scope="col"
                className={isNumber(header.column.id) ? "!text-right" : undefined}
              >
                {header.column.id === "time" ? `Time ${zoneLabel(tz)} ↓` : <FlexRender header={header} />}
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {before > 0 ? <Spacer height={before} columns={visibleColumns} /> : null}
        {items.map((item) => {
          const row = modelRows[item.index];
          if (!row) return null;
          const isOpen = row.id === openId;
          return (
            <tr
              key={row.id}
              aria-rowindex={item.index + 2}
              data-selected={isOpen}
              className={classNames(
                "cursor-pointer",
                row.id === cursorId && "[&>td:first-child]:shadow-[inset_2px_0_0_var(--accent)]",
              )}
              onClick={() => props.onOpen(row.id)}
            >
              {row.getVisibleCells().map((cell, at) => (
                <td key={cell.id} className={isNumber(cell.column.id) ? "text-right" : undefined}>
                  {at === 0 ? (
                    <button
                      type="button"
                      aria-expanded={isOpen}
                      aria-label={`Open decision of ${row.original.chosen ?? "no replica"}, ${clockMs(row.original.decidedAtMs, tz)}`}
                      onClick={(event) => {
                        event.stopPropagation();
                        props.onOpen(row.id);
                      }}
                    >
                      <FlexRender cell={cell} />
                    </button>
                  ) : (
                    <FlexRender cell={cell} />
                  )}
                </td>
              ))}
            </tr>
          );
        })}
        {after > 0 ? <Spacer height={after} columns={visibleColumns} /> : null}
        {props.isLoading && rows.length === 0 ? <SkeletonRows rows={14} columns={visibleColumns} /> : null}
      </tbody>
    </table>
  );
});

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr>
      <td colSpan={columns} className="!border-0 !p-0" style={{ height }} />
    </tr>
  );
}

const NUMBERS = new Set(["predicted", "actual", "hit"]);
const isNumber = (columnId: string) => NUMBERS.has(columnId);
