/** Steps a column may last: every one divides the next day evenly, so bins do not drift against the clock. */
const STEPS_MS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000);

/** Columns of a range: aligned to multiples of the step, so a later read of the same time lands in the same cell. */
export interface MatrixBins {
  readonly t0Ms: number;
  readonly stepMs: number;
  readonly columns: number;
}

/**
 * Columns for a range at most `width` wide. A step is never shorter than `minStepMs` (the snapshot interval):
 * shorter columns would only be empty.
 */
export function matrixBins(fromMs: number, toMs: number, width: number, minStepMs: number): MatrixBins {
  const wanted = Math.max(minStepMs, (toMs - fromMs) / Math.max(1, width));
  const day = 86_400_000;
  const stepMs = STEPS_MS.find((step) => step >= wanted) ?? Math.ceil(wanted / day) * day;
  return binsOfStep(fromMs, toMs, stepMs);
}

/** Columns of a given step that cover the range. */
export function binsOfStep(fromMs: number, toMs: number, stepMs: number): MatrixBins {
  const t0Ms = Math.floor(fromMs / stepMs) * stepMs;
  return { t0Ms, stepMs, columns: Math.max(1, Math.ceil((toMs - t0Ms) / stepMs)) };
}
