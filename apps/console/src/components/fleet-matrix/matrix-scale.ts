/** Byte that stands for "no value": never a position on the scale. */
export const MISSING_BYTE = 255;
/** Highest byte that carries a value. */
export const MAX_BYTE = 254;

/**
 * How a metric's values map to the 0..254 of a cell. The domain is fixed, so that two screens, and two moments
 * of one screen, can be compared. `log` is linear below `softness` and logarithmic above, so that zero has a place.
 */
export type MatrixScale =
  | { readonly kind: "linear"; readonly max: number }
  | { readonly kind: "log"; readonly softness: number; readonly max: number };

/** Position of a value on its scale, 0..1; values outside the domain are clipped to its ends. */
export function scalePosition(scale: MatrixScale, value: number): number {
  const position =
    scale.kind === "linear"
      ? value / scale.max
      : Math.log1p(value / scale.softness) / Math.log1p(scale.max / scale.softness);
  return Math.min(1, Math.max(0, position));
}

/** The cell's byte for a value; null and non-finite values are missing. */
export function encodeCell(scale: MatrixScale, value: number | null): number {
  if (value === null || !Number.isFinite(value)) return MISSING_BYTE;
  return Math.round(scalePosition(scale, value) * MAX_BYTE);
}

/** The value a byte stands for, null when missing. Exact to half a step of the scale. */
export function decodeCell(scale: MatrixScale, byte: number): number | null {
  if (byte === MISSING_BYTE) return null;
  const position = byte / MAX_BYTE;
  if (scale.kind === "linear") return position * scale.max;
  return Math.expm1(position * Math.log1p(scale.max / scale.softness)) * scale.softness;
}

/**
 * Half the width of the diverging domain in bytes. `reach` is in the metric's unit on a linear scale and a factor
 * on a log scale (4 means from a quarter to four times the median).
 */
export function divergenceReach(scale: MatrixScale, reach: number): number {
  return scale.kind === "linear"
    ? (reach / scale.max) * MAX_BYTE
    : (Math.log(reach) / Math.log1p(scale.max / scale.softness)) * MAX_BYTE;
}
