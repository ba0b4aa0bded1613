import { AdapterBook } from "./adapter-book.ts";
import { BoundedMap } from "./bounded-map.ts";
import { CacheBook } from "./cache-book.ts";
import { type Dispatch, openStreamRecord } from "./dispatch.ts";
import type { FleetSnapshot } from "./fleet-snapshot.ts";
import type { PeerLoad } from "./peer-load.ts";
import { prefillAheadMs } from "./prediction.ts";
import type { PrefixBlocks } from "./prefix-blocks.ts";
import { PromptLengths } from "./prompt-lengths.ts";
import type { EngineSignals, Replica, ReplicaId, ReplicaState } from "./replica.ts";
import type { ReplicaLedger } from "./replica-ledger.ts";
import { ReplicaRoster } from "./replica-roster.ts";
import type { InferenceRequest } from "./request.ts";
import { SessionPins } from "./session-pins.ts";
import type { RequestSignals } from "./signals.ts";
import type { StreamRecord } from "./stream-record.ts";

/** How a stream ended, as far as the books care: only completed answers teach output lengths. */
export type StreamOutcome = "completed" | "client_gone" | "failed";

export interface FleetStateOptions {
  /** Most bytes for the prefix index; 256 MiB unless given. */
  readonly prefixIndexBytes?: number;
  /** Most sessions whose pin is remembered; 200,000 unless given. */
  readonly maxPins?: number;
  /** Whether other routers send to the same replicas; see `setShared`. */
  readonly isShared?: boolean;
}

/** Token counts from an engine's `usage`; null where it did not say. */
export interface StreamUsage {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}

const DEFAULT_INDEX_BYTES = 256 * 1024 * 1024;
const DEFAULT_MAX_PINS = 200_000;
/** Ended streams remembered so that events which arrive late find them closed. */
const ENDED_KEPT = 8192;

interface OpenStream {
  readonly ledger: ReplicaLedger;
  readonly record: StreamRecord;
}

/**
 * The router's books: what is in flight where, what each engine said, what it should have cached, and how fast it has
 * proved to be. Deterministic: time is an argument, and events of one stream may come twice or in any order; the end of
 * a stream closes everything. Feed it from one place; `snapshot` and `signalsFor` are what `schedule` decides on.
 */
export class FleetState {
  /** Where sessions are bound. */
  readonly pins: SessionPins;
  readonly #roster: ReplicaRoster;
  readonly #adapters: AdapterBook;
  readonly #caches: CacheBook;
  readonly #promptLengths = new PromptLengths();
  readonly #streams = new Map<string, OpenStream>();
  readonly #ended = new BoundedMap<OpenStream>(ENDED_KEPT);
  /** Prefilling requests that do not stream. */
  readonly #silent = new Set<OpenStream>();
  #dispatches = 0;

  constructor(options: FleetStateOptions = {}) {
    this.pins = new SessionPins(options.maxPins ?? DEFAULT_MAX_PINS);
    this.#roster = new ReplicaRoster(options.isShared ?? false);
    this.#adapters = new AdapterBook(this.#roster);
    this.#caches = new CacheBook(
      this.#roster,
      this.#adapters,
      options.prefixIndexBytes ?? DEFAULT_INDEX_BYTES,
    );
  }

  /** Replaces the fleet. Replicas whose id and segment stay keep everything learned of them; others start anew. */
  setReplicas(replicas: readonly Replica[], nowMs: number): void {
    const { joined, left } = this.#roster.replace(replicas, nowMs);
    for (const ledger of left) this.#caches.forget(ledger);
    for (const ledger of joined) this.#caches.joined(ledger);
  }

  /**
   * Says whether other routers send to the same replicas. Speeds are then learned more slowly, so that the others' load
   * does not pass for slowness, and prompts without a known cache go to a home that all routers agree on.
   */
  setShared(isShared: boolean): void {
    this.#roster.setShared(isShared);
  }

  /** Notes that a replica may or may not receive requests. Unknown ids are ignored: it has left the fleet. */
  setReplicaState(id: ReplicaId, state: ReplicaState, nowMs: number): void {
    const ledger = this.#roster.get(id);
    if (ledger === undefined || ledger.state === state) return;
    ledger.state = state;
    ledger.stateSinceMs = nowMs;
  }

  /** The engine asked to be left alone until then; of several such requests the latest end counts. */
  pauseReplica(id: ReplicaId, untilMs: number): void {
    const ledger = this.#roster.get(id);
    if (ledger !== undefined) ledger.pausedUntilMs = Math.max(ledger.pausedUntilMs, untilMs);
  }

  /** Takes an engine's reading. Impossible values become null, readings older than the last are dropped. */
  observeSignals(id: ReplicaId, signals: EngineSignals): void {
    const ledger = this.#roster.get(id);
    if (ledger === undefined) return;
    const capacity = ledger.kvCapacityTokens;
    ledger.observe(signals);
    if (ledger.kvCapacityTokens !== capacity)
      this.#caches.index.setCapacity(ledger.slot, ledger.kvCapacityTokens);
    for (const adapter of ledger.signals?.adapters ?? []) this.#adapters.learn(adapter, ledger.replica.model);
  }

  /** Takes what another router has on a replica, as it says itself; reports count for two seconds. */
  observePeer(routerId: string, replicaId: ReplicaId, load: PeerLoad, nowMs: number): void {
    this.#roster.get(replicaId)?.peers.observe(routerId, load, nowMs);
  }

  /** Another router sent a prompt to a replica, which will have its prefix cached. */
  peerDispatched(replicaId: ReplicaId, prefix: PrefixBlocks, promptTokens: number): void {
    const ledger = this.#roster.get(replicaId);
    if (ledger !== undefined) this.#caches.peerDispatched(ledger, prefix, promptTokens);
  }

  /** What this router has on a replica, for telling the others; null for a replica that is not in the fleet. */
  ownLoad(replicaId: ReplicaId, nowMs: number): PeerLoad | null {
    const ledger = this.#roster.get(replicaId);
    if (ledger === undefined) return null;
    return {
      waitMs: prefillAheadMs(ledger, ledger.prefillFactor(nowMs), ledger.stepFactor(nowMs), nowMs),
      decoding: ledger.decoding.count + ledger.silentDecoding,
      queued: ledger.prefilling.length,
      contextTokens: ledger.contextTokens,
    };
  }

  /** Forgets what a replica should have cached: its engine restarted. */
  forgetCache(id: ReplicaId): void {
    const ledger = this.#roster.get(id);
    if (ledger === undefined) return;
    this.#caches.forget(ledger);
    ledger.adapters.clear();
  }

  /** Tokens of a prompt of `units` UTF-16 code units, by the ratio that the model's engines have reported. */
  estimatePromptTokens(model: string, units: number): number {
    return this.#promptLengths.estimateTokens(model, units);
  }

  /** Looks up what is known for one request: cached prefixes on every replica, its session's pin, its adapter. */
  signalsFor(request: InferenceRequest, nowMs: number): RequestSignals {
    const pin = request.sessionKey === null ? null : this.pins.find(request.model, request.sessionKey, nowMs);
    return {
      matchedTokens: this.#caches.matchedTokens(request, nowMs),
      usedTokens: this.#caches.usedTokens(request),
      pin,
      adapter: this.#adapters.lookUp(request.model, nowMs),
    };
  }

  /** The fleet as of now: views over these books, valid until the next event. */
  snapshot(nowMs: number): FleetSnapshot {
    this.#assumeFirstTokens(nowMs);
    return {
      takenAtMs: nowMs,
      replicas: this.#roster.all,
      serving: (model) => this.#roster.serving(model),
      baseModelOf: (adapter) => this.#adapters.baseOf(adapter),
    };
  }

  /** Counts a request as in flight on a replica, from this moment. */
  dispatched(dispatch: Dispatch): void {
    const { streamId, replicaId, request, decision, nowMs } = dispatch;
    const open = this.#streams.get(streamId);
    if (open !== undefined) {
      if (open.ledger.id === replicaId) return;
      this.ended(streamId, "failed", nowMs);
    } else if (this.#ended.get(streamId)?.ledger.id === replicaId) return;
    this.#ended.delete(streamId);
    const ledger = this.#roster.get(replicaId);
    if (ledger === undefined) return;
    const found = this.#caches.opened(ledger, request, nowMs);
    const record = openStreamRecord(dispatch, ledger, found);
    const stream = { ledger, record };
    this.#streams.set(streamId, stream);
    if (!record.isStreaming) this.#silent.add(stream);
    ledger.open(record, ++this.#dispatches);
    if (request.sessionKey !== null) this.pins.bind(request.model, request.sessionKey, replicaId, nowMs);
    this.#adapters.observe(ledger.replica.model, decision.adapter, nowMs);
  }

  /** The first token of a stream came. */
  firstToken(streamId: string, nowMs: number): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined || stream.record.phase !== "prefilling") return;
    stream.ledger.firstToken(stream.record, nowMs);
  }

  /** `count` more tokens of a stream came, after its first. */
  tokens(streamId: string, count: number, nowMs: number): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined || !(count > 0)) return;
    if (stream.record.phase === "prefilling") stream.ledger.firstToken(stream.record, nowMs);
    stream.ledger.tokens(stream.record, count, nowMs);
  }

  /** The engine's own token counts for a stream; counts once, also just after its end. */
  usage(streamId: string, usage: StreamUsage): void {
    const stream = this.#streams.get(streamId) ?? this.#ended.get(streamId);
    if (stream === undefined || stream.record.hasUsage) return;
    const { record, ledger } = stream;
    record.hasUsage = true;
    record.reportedOutputTokens = usage.outputTokens;
    record.reportedCachedTokens = usage.cachedTokens;
    if (usage.promptTokens !== null && !record.isTokenPrompt) {
      this.#promptLengths.observe(record.model, record.promptUnits, usage.promptTokens);
    }
    if (usage.cachedTokens !== null) {
      this.#caches.replied(ledger, record, usage.cachedTokens, usage.promptTokens ?? record.promptTokens);
    }
  }

  /** A stream is over, however it went. Releases its in-flight count exactly once. */
  ended(streamId: string, outcome: StreamOutcome, nowMs: number): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    this.#streams.delete(streamId);
    this.#silent.delete(stream);
    const { record, ledger } = stream;
    const seenTokens = record.firstTokenAtMs === null ? null : record.outputTokens;
    ledger.close(record, outcome === "completed", nowMs);
    this.#caches.closed(ledger, record);
    const tokens = record.reportedOutputTokens ?? (record.isStreaming ? seenTokens : null);
    if (outcome === "completed") {
      if (tokens !== null) ledger.segment.outputLengths.observe(tokens);
      ledger.segment.observeDuration(nowMs - record.dispatchedAtMs);
    }
    if (record.sessionKey !== null) {
      this.pins.charge(record.model, record.sessionKey, record.uncachedTokens + (tokens ?? 0));
    }
    this.#ended.set(streamId, stream);
  }

  /** Streams open now, over all replicas. */
  get inFlight(): number {
    return this.#streams.size;
  }

  /** Size of the prefix index. */
  get prefixIndex(): { readonly blocks: number; readonly pairs: number; readonly bytes: number } {
    const { blocks, pairs, bytes } = this.#caches.index;
    return { blocks, pairs, bytes };
  }

  #assumeFirstTokens(nowMs: number): void {
    for (const stream of this.#silent) {
      const { record, ledger } = stream;
      if (record.phase === "prefilling") {
        if (record.assumedFirstTokenAtMs > nowMs) continue;
        ledger.assumeFirstToken(record, nowMs);
      }
      this.#silent.delete(stream);
    }
  }
}
