import { z } from "zod";

const share = z.number().min(0).max(1).default(1);
const durationMs = z.number().positive().optional();

/** A fault of one simulated replica. `durationMs`: it clears itself after that real time. `share`: of the requests. */
export const replicaFault = z.discriminatedUnion("kind", [
  z
    .strictObject({ kind: z.literal("refuse"), durationMs })
    .describe("connections are refused, open ones cut"),
  z.strictObject({ kind: z.literal("crash"), durationMs }).describe("as refuse, and the KV cache is lost"),
  z
    .strictObject({
      kind: z.literal("stall"),
      ms: z.number().positive().nullable().default(null),
      share,
      durationMs,
    })
    .describe("headers come, the first token comes after `ms`, or never when null"),
  z
    .strictObject({ kind: z.literal("reset"), afterTokens: z.int().min(0).default(5), share, durationMs })
    .describe("the connection is reset after so many tokens; 0: before the response begins"),
  z.strictObject({ kind: z.literal("slow_metrics"), ms: z.number().positive(), durationMs }),
  z.strictObject({ kind: z.literal("overload"), share, durationMs }).describe("503 to inference requests"),
  z.strictObject({ kind: z.literal("error"), share, durationMs }).describe("500 to inference requests"),
  z
    .strictObject({ kind: z.literal("slow"), factor: z.number().positive(), durationMs })
    .describe("steps take longer"),
  z.strictObject({ kind: z.literal("freeze"), durationMs }).describe("no step ends: streams stand still"),
  z.strictObject({ kind: z.literal("clear") }).describe("ends every fault"),
]);

/** As written by a caller: fields with a default may be left out. */
export type ReplicaFaultInput = z.input<typeof replicaFault>;
export type ReplicaFault = z.output<typeof replicaFault>;
export type ActiveFault = Exclude<ReplicaFault, { kind: "clear" }>;
export type FaultKind = ActiveFault["kind"];
