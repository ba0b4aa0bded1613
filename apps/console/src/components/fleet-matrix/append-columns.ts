import { MISSING_BYTE } from "./matrix-scale.ts";
import type { Matrix, MatrixHeader } from "./matrix-wire.ts";

/**
 * Lays a newer, shorter read over an older one and moves the window to `fromMs`: later cells win, rows follow the
 * newer read, cells nobody read stay missing. Both must have the same step and metric; when they do not, the newer
 * one stands alone.
 */
export function appendColumns(older: Matrix, newer: Matrix, fromMs: number): Matrix {
  const a = older.header;
  const b = newer.header;
  if (a.stepMs !== b.stepMs || a.metric !== b.metric || b.t0Ms < a.t0Ms) return newer;
  const stepMs = b.stepMs;
  const t0Ms = Math.max(a.t0Ms, Math.floor(fromMs / stepMs) * stepMs);
  const endMs = Math.max(a.t0Ms + a.columns * stepMs, b.t0Ms + b.columns * stepMs);
  const columns = Math.max(1, Math.round((endMs - t0Ms) / stepMs));
  const cells = new Uint8Array(b.rows.length * columns).fill(MISSING_BYTE);
  const oldRow = new Map(a.rows.map((row, index) => [row.id, index]));
  const shiftA = Math.round((a.t0Ms - t0Ms) / stepMs);
  const shiftB = Math.round((b.t0Ms - t0Ms) / stepMs);
  b.rows.forEach((row, index) => {
    const from = oldRow.get(row.id);
    if (from !== undefined) copyRow(older, from, cells, index * columns, columns, shiftA);
    copyRow(newer, index, cells, index * columns, columns, shiftB);
  });
  return { header: { ...b, t0Ms, columns, ...mergeMarks(a, b, t0Ms, columns) }, cells };
}

function copyRow(
  from: Matrix,
  row: number,
  to: Uint8Array,
  start: number,
  columns: number,
  shift: number,
): void {
  const skip = Math.max(0, -shift);
  const count = Math.min(from.header.columns - skip, columns - Math.max(0, shift));
  if (count <= 0) return;
  const source = row * from.header.columns + skip;
  to.set(from.cells.subarray(source, source + count), start + Math.max(0, shift));
}

/** Marks of the older read up to the newer one's start, then the newer's, in the merged window's columns. */
function mergeMarks(
  a: MatrixHeader,
  b: MatrixHeader,
  t0Ms: number,
  columns: number,
): Pick<MatrixHeader, "stale" | "restarts"> {
  const newRow = new Map(b.rows.map((row, index) => [row.id, index]));
  const seam = Math.round((b.t0Ms - t0Ms) / b.stepMs);
  const stale: [number, number, number][] = [];
  const restarts: [number, number][] = [];
  const take = (
    header: MatrixHeader,
    firstColumn: number,
    lastColumn: number,
    rowOf: (row: number) => number | undefined,
  ) => {
    const shift = Math.round((header.t0Ms - t0Ms) / header.stepMs);
    for (const [row, at, length] of header.stale) {
      const target = rowOf(row);
      const from = Math.max(firstColumn, at + shift);
      const to = Math.min(lastColumn, at + shift + length);
      if (target === undefined || to <= from) continue;
      // One run goes on across the seam: otherwise each append would leave a piece behind.
      const before = stale.find(([other, start, count]) => other === target && start + count === from);
      if (before) before[2] += to - from;
      else stale.push([target, from, to - from]);
    }
    for (const [row, at] of header.restarts) {
      const target = rowOf(row);
      const column = at + shift;
      if (target !== undefined && column >= firstColumn && column < lastColumn)
        restarts.push([target, column]);
    }
  };
  take(a, 0, Math.min(seam, columns), (row) => newRow.get(a.rows[row]?.id ?? ""));
  take(b, Math.max(0, seam), columns, (row) => row);
  return { stale, restarts };
}
