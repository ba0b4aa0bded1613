import { MISSING_BYTE } from "./matrix-scale.ts";

/**
 * Median byte of every column over the given rows, 255 where none of them has a value. The byte scale is monotone,
 * so the median of bytes is the byte of the (lower) median. Counts instead of sorting: a day of 1,000 replicas is
 * 1.4 million cells.
 */
export function columnMedians(cells: Uint8Array, columns: number, rows: readonly number[]): Uint8Array {
  const counts = new Uint16Array(columns * 256);
  const present = new Uint16Array(columns);
  for (const row of rows) {
    const from = cells.subarray(row * columns, (row + 1) * columns);
    for (let column = 0; column < columns; column++) {
      const byte = from[column] ?? MISSING_BYTE;
      if (byte === MISSING_BYTE) continue;
      const slot = column * 256 + byte;
      counts[slot] = (counts[slot] ?? 0) + 1;
      present[column] = (present[column] ?? 0) + 1;
    }
  }
  const medians = new Uint8Array(columns).fill(MISSING_BYTE);
  for (let column = 0; column < columns; column++) {
    const half = ((present[column] ?? 0) + 1) >> 1;
    if (half === 0) continue;
    let seen = 0;
    for (let byte = 0; byte < MISSING_BYTE; byte++) {
      seen += counts[column * 256 + byte] ?? 0;
      if (seen >= half) {
        medians[column] = byte;
        break;
      }
    }
  }
  return medians;
}

/** Writes value minus median of the given rows into `out`: 127 at the median, clipped at `reach` bytes either way. */
export function writeDivergence(
  out: Uint8Array,
  cells: Uint8Array,
  columns: number,
  rows: readonly number[],
  medians: Uint8Array,
  reach: number,
): void {
  // One lookup per cell: the table by difference, and behind it a stretch of "missing" for columns without a median.
  const toByte = new Uint8Array(512 + 256).fill(MISSING_BYTE);
  for (let delta = -255; delta <= 255; delta++) {
    toByte[delta + 255] = Math.round(127 + Math.min(1, Math.max(-1, delta / reach)) * 127);
  }
  const shift = Uint16Array.from(medians, (centre) => (centre === MISSING_BYTE ? 512 : 255 - centre));
  for (const row of rows) {
    const from = cells.subarray(row * columns, (row + 1) * columns);
    const into = out.subarray(row * columns, (row + 1) * columns);
    for (let column = 0; column < columns; column++) {
      const byte = from[column] ?? MISSING_BYTE;
      into[column] =
        byte === MISSING_BYTE ? MISSING_BYTE : (toByte[byte + (shift[column] ?? 512)] ?? MISSING_BYTE);
    }
  }
}
