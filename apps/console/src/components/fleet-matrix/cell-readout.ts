import type { RowGroup } from "./group-rows.ts";
import type { MatrixMetric } from "./matrix-metrics.ts";
import { decodeCell, MISSING_BYTE } from "./matrix-scale.ts";
import type { Matrix } from "./matrix-wire.ts";
import { median } from "./robust-stats.ts";

/** What the hover says of one cell. */
export interface CellReadout {
  readonly value: number | null;
  readonly groupMedian: number | null;
  /** 1 is the highest; null when the cell has no value. */
  readonly rank: number | null;
  /** Rows of the group with a value in this column. */
  readonly ranked: number;
  readonly isStale: boolean;
  readonly isRestart: boolean;
}

/** Reads one cell against its group in the same column. */
export function readCell(
  matrix: Matrix,
  metric: MatrixMetric,
  group: RowGroup,
  rowIndex: number,
  column: number,
): CellReadout {
  const { columns } = matrix.header;
  const byteOf = (row: number) => matrix.cells[row * columns + column] ?? MISSING_BYTE;
  const peers = group.rows.map(({ index }) => byteOf(index)).filter((byte) => byte !== MISSING_BYTE);
  const own = byteOf(rowIndex);
  const centre = median(peers);
  return {
    value: decodeCell(metric.scale, own),
    groupMedian: centre === null ? null : decodeCell(metric.scale, centre),
    rank: own === MISSING_BYTE ? null : peers.filter((peer) => peer > own).length + 1,
    ranked: peers.length,
    isStale: matrix.header.stale.some(
      ([row, at, length]) => row === rowIndex && column >= at && column < at + length,
    ),
    isRestart: matrix.header.restarts.some(([row, at]) => row === rowIndex && at === column),
  };
}
