import { z } from "zod";

/** What a client is promised. A request is good when it meets both its TTFT and its ITL objective. */
export const objectives = z.strictObject({
  ttftBaseMs: z
    .number()
    .positive()
    .max(3_600_000)
    .default(2000)
    .describe("Time to first token promised to an empty prompt, in milliseconds."),
  ttftPerTokenMs: z
    .number()
    .min(0)
    .max(1000)
    .default(0.1)
    .describe(
      "Milliseconds added to the TTFT objective for each prompt token: 0.1 allows one second more per 10,000 tokens.",
    ),
  itlMs: z
    .number()
    .positive()
    .max(60_000)
    .default(50)
    .describe("Mean gap between tokens promised to a stream, in milliseconds."),
});

export type Objectives = z.infer<typeof objectives>;

/** The TTFT objective of a prompt, in milliseconds from its arrival. */
export function ttftObjectiveMs(promise: Objectives, promptTokens: number): number {
  return promise.ttftBaseMs + promise.ttftPerTokenMs * promptTokens;
}

/** When a request's TTFT objective runs out. Held requests are looked at again in this order (earliest deadline first). */
export function ttftDeadlineMs(
  promise: Objectives,
  request: { arrivedAtMs: number; promptTokens: number },
): number {
  return request.arrivedAtMs + ttftObjectiveMs(promise, request.promptTokens);
}
