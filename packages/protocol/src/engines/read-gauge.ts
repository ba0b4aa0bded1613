import type { Sample } from "../prometheus/parse-text.ts";

/** Rounding in an engine may end a hair above 1. */
const RATIO_SLACK = 1e-6;

/** A count or size: finite and not negative, else null (engines use -1 and NaN for "unknown"). */
export function asCount(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value + 0 : null;
}

/** A share 0..1, else null. */
export function asRatio(value: number | undefined): number | null {
  if (value === undefined || !(value >= 0 && value <= 1 + RATIO_SLACK)) {
    return null;
  }
  // Adding zero turns -0 into 0.
  return Math.min(value, 1) + 0;
}

/** A size written into a label, where Python writes "None" for unknown. */
export function labelCount(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

/** The value of the first series a test accepts; undefined when there is none. */
export function valueWhere(
  samples: readonly Sample[],
  accepts: (sample: Sample) => boolean,
): number | undefined {
  return samples.find(accepts)?.value;
}

/** Readings that exist, by name. */
export function presentDetails(
  readings: Readonly<Record<string, number | null>>,
): Readonly<Record<string, number>> {
  const present: Record<string, number> = {};
  for (const [name, value] of Object.entries(readings)) {
    if (value !== null) {
      present[name] = value;
    }
  }
  return present;
}
