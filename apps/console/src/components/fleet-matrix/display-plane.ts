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
  rows.forEach((row, position) => {
    const start = Math.floor((position * lines) / rows.length) * columns;
    const source = row * columns;
    for (let column = 0; column < columns; column++) {
      const value = plane[source + column] ?? MISSING_BYTE;
      if (value === MISSING_BYTE) continue;
      const held = bytes[start + column] ?? MISSING_BYTE;
      if (held === MISSING_BYTE || wins(value, held, mode)) bytes[start + column] = value;
    }
  });
  return { bytes, columns, lines };
}

function wins(value: number, held: number, mode: "absolute" | "divergence"): boolean {
  return mode === "absolute" ? value > held : Math.abs(value - 127) > Math.abs(held - 127);
}

/** Looks every byte up; `out` must hold as many words. The whole repaint of the matrix is this loop. */
export function paintWords(out: Uint32Array, bytes: Uint8Array, lut: Uint32Array): void {
  const length = bytes.length;
  for (let at = 0; at < length; at++) out[at] = lut[bytes[at] ?? 255] ?? 0;
}
