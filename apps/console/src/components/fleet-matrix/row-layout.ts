import type { RankedRow, RowGroup } from "./group-rows.ts";

/** Least pixels of one row in `rows` mode: 12 of cell, 1 of gap. */
const ROW_HEIGHT = 13;
/** Most: taller rows would make bars of the cells. */
const MAX_ROW_HEIGHT = 28;
export const GROUP_HEAD_HEIGHT = 20;
const GROUP_GAP = 8;

export type LaidGroup = {
  readonly group: RowGroup;
  readonly headY: number;
  readonly bodyY: number;
  readonly rowHeight: number;
  readonly bodyHeight: number;
};

export interface RowLayout {
  readonly groups: readonly LaidGroup[];
  readonly height: number;
  readonly rowHeight: number;
}

/**
 * Vertical places of groups and rows. Few rows grow into the room there is, up to `MAX_ROW_HEIGHT`. Of many, `fit`
 * squeezes rows so that everything is in `viewportHeight`; `rows` keeps them readable and scrolls.
 */
export function layoutRows(groups: readonly RowGroup[], fit: boolean, viewportHeight: number): RowLayout {
  const rowCount = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const chrome = groups.length * GROUP_HEAD_HEIGHT + Math.max(0, groups.length - 1) * GROUP_GAP;
  const room = Math.max(groups.length * 2, viewportHeight - chrome);
  const fair = rowCount === 0 ? ROW_HEIGHT : room / rowCount;
  // Whole pixels while rows are readable: the gap between them stays sharp.
  const grown = Math.min(MAX_ROW_HEIGHT, Math.max(ROW_HEIGHT, Math.floor(fair)));
  const rowHeight = fit ? Math.min(grown, fair) : grown;
  let y = 0;
  const laid = groups.map((group): LaidGroup => {
    const headY = y;
    const bodyHeight = group.rows.length * rowHeight;
    y += GROUP_HEAD_HEIGHT + bodyHeight + GROUP_GAP;
    return { group, headY, bodyY: headY + GROUP_HEAD_HEIGHT, rowHeight, bodyHeight };
  });
  return { groups: laid, height: Math.max(0, y - GROUP_GAP), rowHeight };
}

/** The row under a vertical position, null between groups. */
export function rowAt(layout: RowLayout, y: number): { group: RowGroup; ranked: RankedRow } | null {
  for (const laid of layout.groups) {
    if (y < laid.bodyY || y >= laid.bodyY + laid.bodyHeight) continue;
    const ranked = laid.group.rows[Math.floor((y - laid.bodyY) / laid.rowHeight)];
    return ranked ? { group: laid.group, ranked } : null;
  }
  return null;
}

/** Top of a replica's row, null when it is not in the layout. */
export function rowTop(layout: RowLayout, replica: string): number | null {
  for (const laid of layout.groups) {
    const at = laid.group.rows.findIndex(({ row }) => row.id === replica);
    if (at >= 0) return laid.bodyY + at * laid.rowHeight;
  }
  return null;
}

/** Rows of a group between two heights of the layout, as first and one past the last. */
export function rowsBetween(laid: LaidGroup, top: number, bottom: number): { first: number; last: number } {
  const at = (y: number) => (y - laid.bodyY) / laid.rowHeight;
  const clamp = (row: number) => Math.min(laid.group.rows.length, Math.max(0, row));
  return { first: clamp(Math.floor(at(top))), last: clamp(Math.ceil(at(bottom))) };
}
