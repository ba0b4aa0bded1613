import { z } from "zod";
import { MATRIX_METRICS } from "#components/fleet-matrix/matrix-metrics.ts";
import { storableText } from "#server/storable-text.ts";
import { storableTimeMs } from "#server/storable-time.ts";

export const MAX_COLUMNS = 2880;
const MAX_STEP_MS = 366 * 86_400_000;

/** Digits only: a coerced empty text would read as 0. */
const wholeNumber = z.string().regex(/^\d+$/, "must be a whole number, not below 0").transform(Number);

/** What `/api/fleet/matrix` is asked for, in the query of its address. */
export const matrixQuery = z
  .object({
    metric: z.enum(MATRIX_METRICS.map((metric) => metric.id)),
    from: wholeNumber.pipe(storableTimeMs),
    to: wholeNumber.pipe(storableTimeMs),
    /** Most columns wanted: the plot's width. */
    width: wholeNumber.pipe(z.number().min(1).max(MAX_COLUMNS)).default(1440),
    /** Step of a matrix already held, to append to it. */
    step: wholeNumber.pipe(z.number().min(1000).max(MAX_STEP_MS)).nullish(),
    model: storableText.min(1).max(256).nullish(),
  })
  .refine(({ from, to }) => from < to, {
    path: ["from"],
    error: "must lie before to",
    // Two times that are none need no comparing.
    when: ({ issues }) => issues.length === 0,
  });
