import type { CostShape } from "./cost-shape.ts";
import type { OutputLengthView } from "./output-lengths.ts";
import type { EngineSignals, Replica, ReplicaId, ReplicaState, SegmentId } from "./replica.ts";

/** What replicas of one segment have in common. */
export interface SegmentView {
  readonly id: SegmentId;
  readonly shape: CostShape;
  readonly outputLengths: OutputLengthView;
  /** Mean prefill of a request on the shape, milliseconds. */
  readonly meanPrefillMs: number;
  /** Share of prompt tokens that engines reported as cached, 0..1. */
  readonly hitShare: number;
}

/** Prefill time on the segment's shape, before the replica's speed. */
export interface PrefillTime {
  readonly workMs: number;
  /** What chunks cost beside their own work, as of the dispatch. */
  readonly overheadMs: number;
  /** Loading of the adapter. */
  readonly adapterLoadMs: number;
}

/** A request of ours whose first token has not come. */
export interface PrefillingStream extends PrefillTime {
  readonly promptTokens: number;
  readonly uncachedTokens: number;
  /** Whether anyone watches its tokens come. */
  readonly isStreaming: boolean;
  readonly adapter: string | null;
}

/** Streams of ours that are decoding; entry i of each array is one stream, in no particular order. */
export interface DecodingStreams {
  readonly count: number;
  readonly firstTokenAtMs: Float64Array;
  /** Gaps between tokens seen so far. */
  readonly gaps: Float64Array;
}

/** Load that others put on a replica: as they say themselves, else as far as its gauges exceed what we have there. */
export interface ForeignLoad {
  readonly running: number;
  readonly queued: number;
  /** Tokens of their decoding requests, null when only the gauges tell. */
  readonly contextTokens: number | null;
  /** Time until their prefills are through, null when only the gauges tell. */
  readonly waitMs: number | null;
  /** Null when it is the mean of the segment, for want of signals of its own. */
  readonly observedAtMs: number | null;
}

export interface RecentDispatches {
  readonly requests: number;
  readonly uncachedTokens: number;
}

/**
 * One replica as a strategy sees it: this router's own exact bookkeeping, and what the engine said of itself.
 * A live view: valid until the next event is fed to the `FleetState` behind it.
 */
export interface ReplicaView {
  readonly id: ReplicaId;
  readonly replica: Replica;
  readonly segment: SegmentView;
  /** Index into the arrays of `RequestSignals`; stable while the replica is in the fleet. */
  readonly slot: number;
  readonly state: ReplicaState;
  /** When it entered this state; minus infinity for the fleet a router starts with. */
  readonly stateSinceMs: number;
  /** Until when the engine has asked to be left alone (`Retry-After`); minus infinity when it has not. */
  readonly pausedUntilMs: number;
  /** Requests of this router in flight there. Exact. */
  readonly inFlight: number;
  /** Fleet-wide number of the last dispatch to this replica, 0 when there was none. */
  readonly lastDispatch: number;
  /** In order of dispatch. */
  readonly prefilling: readonly PrefillingStream[];
  /** All of `prefilling` together. */
  readonly prefillingSum: PrefillTime;
  /** Uncached prompt tokens of `prefilling`. */
  readonly prefillingTokens: number;
  /** When the prefill at the head of the queue began, as far as can be told. */
  readonly prefillAnchorMs: number;
  readonly decoding: DecodingStreams;
  /** Decoding requests that do not stream: assumed from their predicted first token, no one sees their gaps. */
  readonly silentDecoding: number;
  /** Prompt and output tokens of everything of ours that decodes. */
  readonly contextTokens: number;
  /** KV tokens of our open requests outside full prefix blocks: ends of prompts, and output. */
  readonly ownKvTokens: number;
  /** KV tokens in prefix blocks that our open requests use; a block that several share counts once. */
  readonly usedPrefixTokens: number;
  /** Prompt tokens of everything of ours that prefills, cached or not. */
  readonly prefillingPromptTokens: number;
  /** Tokens the prefix index holds for the replica. */
  readonly indexedTokens: number;
  /** KV capacity in tokens: reported, else assumed. */
  readonly kvCapacityTokens: number;
  readonly signals: EngineSignals | null;
  /** Whether the last reading held a value that cannot be (NaN, negative, …); such values are null in `signals`. */
  readonly hasInvalidSignal: boolean;
  /** Share of the matched tokens that the replica's replies bear out, 0..1. */
  readonly cacheCalibration: number;
  /** Whether the speed factors rest on observations of this replica. */
  readonly hasLearnedRates: boolean;
  foreign(nowMs: number): ForeignLoad;
  /** Requests sent there in the last three minutes, and their uncached prompt tokens. */
  recent(nowMs: number): RecentDispatches;
  /** Whether the engine has listed the adapter since it joined. */
  hasListed(adapter: string): boolean;
  /** How many times slower than its shape the replica prefills. */
  prefillFactor(nowMs: number): number;
  /** How many times slower than its shape the replica decodes. */
  stepFactor(nowMs: number): number;
}

/** The fleet at one moment. Cheap to take: views, no copies. */
export interface FleetSnapshot {
  readonly takenAtMs: number;
  /** Every replica in every state, in the fleet's order. */
  readonly replicas: readonly ReplicaView[];
  /** Replicas that serve a base model, in every state; empty when none does. */
  serving(model: string): readonly ReplicaView[];
  /** Base model of an adapter that some engine lists, null when none does. */
  baseModelOf(adapter: string): string | null;
}
