import type { Moment } from "./time-range.ts";

/** Start of the range when the address names none. */
export const DEFAULT_FROM = "now-1h";
const MINUTE_MS = 60_000;
const DEFAULT_SPAN_MS = 3_600_000;
/** A range shorter than this shows too little to compare. */
const LEAST_SPAN_MS = 600_000;

/**
 * Where the default range starts instead, when the store's first data are younger than it: at the minute of the
 * first data, at least ten minutes ago. Null when the default holds.
 */
export function youngStart(firstDataAtMs: number | null, nowMs: number): Moment | null {
  if (firstDataAtMs === null || nowMs === 0 || nowMs - firstDataAtMs >= DEFAULT_SPAN_MS) return null;
  if (nowMs - firstDataAtMs < LEAST_SPAN_MS) return { kind: "relative", beforeNowMs: LEAST_SPAN_MS };
  return { kind: "absolute", ms: Math.floor(firstDataAtMs / MINUTE_MS) * MINUTE_MS };
}
