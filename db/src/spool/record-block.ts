import { REPLICA_STATES } from "@evenkeel/scheduler/replica";
import { z } from "zod";
import type { DecisionRecord } from "../decision-record.ts";
import type { ReplicaSnapshot } from "../replica-snapshot.ts";
import type { Block } from "./block.ts";
import { readDecisionFrame } from "./decision-frame.ts";
import { FrameReader } from "./frame-reader.ts";

/** The decisions of a block. @throws RangeError when its payload is damaged */
export function decisionsOf(block: Block): DecisionRecord[] {
  const from = new FrameReader(block.payload);
  return Array.from({ length: block.records }, () => readDecisionFrame(from));
}

/** A block of snapshots: few and rare, so plain JSON will do. */
export function snapshotBlock(snapshots: readonly ReplicaSnapshot[]): Block {
  return {
    kind: "snapshots",
    records: snapshots.length,
    payload: Buffer.from(JSON.stringify(snapshots)),
  };
}

/** The snapshots of a block. @throws when its payload is damaged */
export function snapshotsOf(block: Block): ReplicaSnapshot[] {
  return snapshotList.parse(JSON.parse(Buffer.from(block.payload).toString()));
}

const optional = z.number().nullable();
const snapshotList = z.array(
  z.object({
    takenAtMs: z.number(),
    routerId: z.string(),
    replica: z.string(),
    state: z.enum(REPLICA_STATES),
    inFlight: z.number(),
    running: optional,
    queueDepth: optional,
    kvOccupancy: optional,
    signalAgeMs: optional,
    ttftP50Ms: optional,
    ttftP99Ms: optional,
    itlP50Ms: optional,
    hitRate: optional,
    requests: z.number(),
    failures: z.number(),
  }),
);
