import { MISSING_BYTE } from "./matrix-scale.ts";

/** The bytes of one group as they are drawn: one line per row, or fewer when rows are thinner than a pixel. */
export interface DisplayPlane {
  readonly bytes: Uint8Array;
  readonly columns: number;
  readonly lines: number;
}

/**
 * Puts rows in display order and, when there are more rows than `maxLines`, pools them so that no extreme is lost:
 * the highest value wins in absolute mode, the one farthest from the median in divergence mode. Never a mean: it
 * would hide the one replica at 94 %.
 */
export function displayPlane(
  plane: Uint8Array,
  columns: number,
  rows: readonly number[],
  maxLines: number,
  mode: "absolute" | "divergence",
): DisplayPlane {
  const lines = Math.max(1, Math.min(rows.length, Math.floor(maxLines)));
  if (lines === rows.length) {
    const bytes = new Uint8Array(lines * columns);
    rows.forEach((row, line) => {
      bytes.set(plane.subarray(row * columns, (row + 1) * columns), line * columns);
    });
    return { bytes, columns, lines };
  }
  const bytes = new Uint8Array(lines * columns).fill(MISSING_BYTE);
  const rank = mode === "absolute" ? ABSOLUTE_RANK : DIVERGENCE_RANK;
  rows.forEach((row, position) => {
    const line = Math.floor((position * lines) / rows.length) * columns;
    const into = bytes.subarray(line, line + columns);
    const from = plane.subarray(row * columns, (row + 1) * columns);
    for (let column = 0; column < columns; column++) {
      const value = from[column] ?? MISSING_BYTE;
      if ((rank[value] ?? 0) > (rank[into[column] ?? MISSING_BYTE] ?? 0)) into[column] = value;
    }
  });
  return { bytes, columns, lines };
}

/** Which of two bytes survives pooling: the higher rank. A missing one never does. */
const ABSOLUTE_RANK = Uint8Array.from({ length: 256 }, (_, byte) => (byte === MISSING_BYTE ? 0 : byte + 1));
const DIVERGENCE_RANK = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === MISSING_BYTE ? 0 : 1 + Math.abs(byte - 127),
);

/** Looks every byte up; `out` must hold as many words. The whole repaint of the matrix is this loop. */
export function paintWords(out: Uint32Array, bytes: Uint8Array, lut: Uint32Array): void {
  const length = bytes.length;
  for (let at = 0; at < length; at++) out[at] = lut[bytes[at] ?? 255] ?? 0;
}
