import { z } from "zod";
import type { OpenLoopResult } from "./open-loop.ts";
import { BODY_SIZES_KB } from "./prompt-bodies.ts";

/** What the bench asks of the process that plays upstream and clients. */
export const worldRequest = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listen"), replicas: z.number().int() }),
  z.object({ kind: z.literal("pace"), pace: z.enum(["flood", "paced", "idle"]) }),
  z.object({
    kind: z.literal("openLoop"),
    ports: z.array(z.number().int()),
    bodyKb: z.literal(BODY_SIZES_KB),
    isStreaming: z.boolean(),
    ratePerSecond: z.number(),
    durationMs: z.number(),
    warmUpMs: z.number(),
    patienceMs: z.number(),
    seed: z.number().int(),
  }),
  z.object({ kind: z.literal("holdStreams"), port: z.number().int(), streams: z.number().int() }),
  z.object({ kind: z.literal("releaseStreams") }),
]);
export type WorldRequest = z.infer<typeof worldRequest>;

export const worldEnvelope = z.object({ id: z.number().int(), request: worldRequest });

/** Answers by request kind. */
export interface WorldAnswers {
  listen: readonly number[];
  pace: null;
  openLoop: OpenLoopResult;
  /** Streams that have had their first event. */
  holdStreams: number;
  releaseStreams: null;
}

export type WorldReply = { readonly id: number } & (
  | { readonly ok: true; readonly answer: WorldAnswers[WorldRequest["kind"]] }
  | { readonly ok: false; readonly message: string }
);
