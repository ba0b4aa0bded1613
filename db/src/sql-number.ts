const INT_MAX = 2 ** 31 - 1;

/** A number for a `real` column: rounded to what it holds, which Postgres would otherwise refuse at the extremes. */
export function realText(value: number | null): string | null {
  return value === null ? null : String(Math.fround(value));
}

/** A number for an `int` column: fractions dropped, clamped to its range. Not a number is null. */
export function intText(value: number | null): string | null {
  if (value === null || Number.isNaN(value)) return null;
  return String(Math.max(-INT_MAX, Math.min(INT_MAX, Math.trunc(value))));
}
