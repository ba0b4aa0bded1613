/** The engines whose protocols `packages/protocol/engines` speaks. */
export const ENGINE_NAMES = ["vllm", "sglang", "tgi", "llamacpp", "triton-trtllm", "trtllm-serve"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Which phase of a request a replica serves. `unified` serves both. */
export const REPLICA_ROLES = ["unified", "prefill", "decode"] as const;
export type ReplicaRole = (typeof REPLICA_ROLES)[number];

export type ReplicaId = string;

/**
 * Replicas of one segment are truly equivalent: same model revision, engine version, quantisation and role.
 * Learned rates, prefix index and pins never cross segments.
 */
export type SegmentId = string;

/** One engine endpoint as the fleet file describes it. The URL stays with the router: nothing here may dial it. */
export interface Replica {
  readonly id: ReplicaId;
  readonly model: string;
  readonly engine: EngineName;
  readonly role: ReplicaRole;
  readonly labels: Readonly<Record<string, string>>;
  readonly segment: SegmentId;
}

/** Derives the segment of a replica from what makes it equivalent to others. */
export function segmentOf(replica: Omit<Replica, "segment" | "id">): SegmentId {
  const version = replica.labels["version"] ?? "unknown";
  const quantization = replica.labels["quantization"] ?? "none";
  return `${replica.model}/${replica.engine}/${version}/${quantization}/${replica.role}`;
}

/**
 * What the engine said of itself at `observedAtMs`. A signal the engine does not report, or that could not be
 * read, is null: never zero.
 */
export interface EngineSignals {
  readonly observedAtMs: number;
  /** Sequences decoding in the engine. */
  readonly running: number | null;
  /** Sequences waiting in the engine. */
  readonly queueDepth: number | null;
  /** Share of KV blocks in use by running sequences, 0..1. */
  readonly kvOccupancy: number | null;
  /** KV capacity in tokens. */
  readonly kvCapacityTokens: number | null;
  /** Tokens per KV block. */
  readonly kvBlockTokens: number | null;
  /** Adapters the engine lists as running or resident; null when the engine does not say. */
  readonly adapters: readonly string[] | null;
  /** Most adapters the engine holds at once. */
  readonly adapterSlots: number | null;
}

/** Whether a replica may receive requests, and why not. */
export const REPLICA_STATES = [
  "ready",
  "starting",
  "ejected",
  "unreachable",
  "draining",
  "cordoned",
] as const;
export type ReplicaState = (typeof REPLICA_STATES)[number];
