import type { CellPlace } from "./draw-overlay.ts";
import type { RowGroup } from "./group-rows.ts";

/** Rows and columns one key moves by; null for keys that do not move. */
const MOVES: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -Number.MAX_SAFE_INTEGER],
  End: [0, Number.MAX_SAFE_INTEGER],
};

/** Where the focused cell goes on a key, null when the key moves nothing. Without a focus it enters at the newest column. */
export function stepFocus(
  groups: readonly RowGroup[],
  columns: number,
  focus: CellPlace | null,
  key: string,
): CellPlace | null {
  const move = MOVES[key];
  if (!move) return null;
  const ids = groups.flatMap((group) => group.rows.map(({ row }) => row.id));
  const last = ids.length - 1;
  const first = ids[0];
  if (first === undefined || columns === 0) return null;
  const at = focus ? ids.indexOf(focus.replica) : -1;
  if (!focus || at < 0) return { replica: first, column: columns - 1 };
  const replica = ids[Math.min(last, Math.max(0, at + move[0]))] ?? first;
  const column = Math.min(columns - 1, Math.max(0, focus.column + move[1]));
  return { replica, column };
}
