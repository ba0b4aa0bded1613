import { replicaFault } from "@evenkeel/sim/replica-fault";
import { z } from "zod";

/** What the stack tells the process of the simulated replicas; each carries a number that the answer repeats. */
export const simulationCommand = z.discriminatedUnion("do", [
  z.object({
    do: z.literal("startLoad"),
    id: z.number(),
    routerUrl: z.url(),
    /** Requests per second; null: what suits the fleet. */
    rps: z.number().positive().nullable(),
    seed: z.number(),
  }),
  z.object({ do: z.literal("stopLoad"), id: z.number() }),
  z.object({ do: z.literal("fault"), id: z.number(), replicaId: z.string(), fault: replicaFault }),
]);

const simReplica = z.object({
  id: z.string(),
  url: z.string(),
  model: z.string(),
  engine: z.string(),
  role: z.string(),
  labels: z.record(z.string(), z.string()),
});

/** What that process says. */
export const simulationReport = z.discriminatedUnion("say", [
  z.object({ say: z.literal("listening"), replicas: z.array(simReplica) }),
  z.object({ say: z.literal("done"), id: z.number(), problem: z.string().nullable() }),
]);

/** A command before it is numbered; fields with a default may be left out. */
export type SimulationCommand = z.input<typeof simulationCommand>;
export type SimulationReport = z.infer<typeof simulationReport>;
/** A simulated replica as the fleet file lists it. */
export type SimulatedReplica = z.infer<typeof simReplica>;
