import { chunkOverheadMs, DEFAULT_KV_TOKENS, prefillWorkMs } from "./cost-shape.ts";
import type { RoutedDecision } from "./decision.ts";
import type { FleetSnapshot, ReplicaView } from "./fleet-snapshot.ts";
import { tokensOfBlocks } from "./prefix-blocks.ts";
import { PrefixIndex } from "./prefix-index.ts";
import { PromptLength } from "./prompt-length.ts";
import type { EngineSignals, Replica, ReplicaId, ReplicaState, SegmentId } from "./replica.ts";
import { ReplicaLedger } from "./replica-ledger.ts";
import type { InferenceRequest } from "./request.ts";
import { SegmentLedger } from "./segment-ledger.ts";
import type { RequestSignals } from "./signals.ts";
import type { StreamRecord } from "./stream-record.ts";

/** How a stream ended, as far as the books care: only completed answers teach output lengths. */
export type StreamOutcome = "completed" | "client_gone" | "failed";

export interface FleetStateOptions {
  /** Most bytes for the prefix index; 256 MiB unless given. */
  readonly prefixIndexBytes?: number;
}

export interface Dispatch {
  /** Names one attempt. A second attempt of the same request needs an id of its own, or the first must have ended. */
  readonly streamId: string;
  readonly replicaId: ReplicaId;
  readonly request: InferenceRequest;
  readonly decision: RoutedDecision;
  readonly nowMs: number;
}

/** Token counts from an engine's `usage`; null where it did not say. */
export interface StreamUsage {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}

const DEFAULT_INDEX_BYTES = 256 * 1024 * 1024;
/** Ended streams remembered so that events which arrive late find them closed. */
const ENDED_KEPT = 8192;

/**
 * The router's books: what is in flight where, what each engine said, what it should have cached, and how fast it has
 * proved to be. Deterministic: time is an argument, and events of one stream may come twice or in any order; the end of
 * a stream closes everything. Feed it from one place; `snapshot` and `signalsFor` are what `schedule` decides on.
 */
export class FleetState {
  readonly #index: PrefixIndex;
  readonly #segments = new Map<SegmentId, SegmentLedger>();
  readonly #ledgers = new Map<ReplicaId, ReplicaLedger>();
  readonly #byModel = new Map<string, ReplicaLedger[]>();
  readonly #adapterBases = new Map<string, string>();
  readonly #promptLengths = new Map<string, PromptLength>();
  readonly #streams = new Map<string, OpenStream>();
  readonly #ended = new Map<string, OpenStream>();
  readonly #silent = new Set<OpenStream>();
  #replicas: readonly ReplicaLedger[] = [];
  #slots: (ReplicaId | null)[] = [];
  #dispatches = 0;
  #matched = new Uint32Array(0);

  constructor(options: FleetStateOptions = {}) {
    this.#index = new PrefixIndex(options.prefixIndexBytes ?? DEFAULT_INDEX_BYTES);
  }

  /** Replaces the fleet. Replicas whose id and segment stay keep everything learned of them; others start anew. */
  setReplicas(replicas: readonly Replica[], nowMs: number): void {
    const isFirst = this.#ledgers.size === 0;
    const kept = new Map(this.#ledgers);
    this.#ledgers.clear();
    const next: ReplicaLedger[] = [];
    for (const replica of replicas) {
      if (this.#ledgers.has(replica.id)) continue;
      const earlier = kept.get(replica.id);
      let ledger: ReplicaLedger;
      if (earlier !== undefined && earlier.segment.id === replica.segment) {
        ledger = earlier;
        ledger.replica = replica;
        kept.delete(replica.id);
      } else {
        if (earlier !== undefined) this.#retire(earlier);
        kept.delete(replica.id);
        // Only a replica that joins a running fleet is new; the first fleet may have been running for months.
        const sinceMs = isFirst ? Number.NEGATIVE_INFINITY : nowMs;
        ledger = new ReplicaLedger(
          replica,
          this.#takeSlot(replica.id),
          this.#segment(replica.segment),
          nowMs,
          sinceMs,
        );
        this.#index.setCapacity(ledger.slot, DEFAULT_KV_TOKENS);
      }
      this.#ledgers.set(replica.id, ledger);
      next.push(ledger);
    }
    for (const gone of kept.values()) this.#retire(gone);
    this.#replicas = next;
    this.#byModel.clear();
    for (const ledger of next) {
      const serving = this.#byModel.get(ledger.replica.model);
      if (serving === undefined) this.#byModel.set(ledger.replica.model, [ledger]);
      else serving.push(ledger);
    }
  }

  /** Notes that a replica may or may not receive requests. Unknown ids are ignored: it has left the fleet. */
  setReplicaState(id: ReplicaId, state: ReplicaState, nowMs: number): void {
    const ledger = this.#ledgers.get(id);
    if (ledger === undefined || ledger.state === state) return;
    ledger.state = state;
    ledger.stateSinceMs = nowMs;
  }

  /** The engine asked to be left alone until then; of several such requests the latest end counts. */
  pauseReplica(id: ReplicaId, untilMs: number): void {
    const ledger = this.#ledgers.get(id);
    if (ledger !== undefined) ledger.pausedUntilMs = Math.max(ledger.pausedUntilMs, untilMs);
  }

  /** Takes an engine's reading. Impossible values become null, readings older than the last are dropped. */
  observeSignals(id: ReplicaId, signals: EngineSignals): void {
    const ledger = this.#ledgers.get(id);
    if (ledger === undefined) return;
    const capacity = ledger.kvCapacityTokens;
    ledger.observe(signals);
    if (ledger.kvCapacityTokens !== capacity) this.#index.setCapacity(ledger.slot, ledger.kvCapacityTokens);
    for (const adapter of ledger.signals?.adapters ?? [])
      this.#adapterBases.set(adapter, ledger.replica.model);
  }

  /** Forgets what a replica should have cached: its engine restarted. */
  forgetCache(id: ReplicaId): void {
    const ledger = this.#ledgers.get(id);
    if (ledger !== undefined) this.#index.clear(ledger.slot);
  }

  /** Tokens of a prompt of `units` UTF-16 code units, by the ratio that the model's engines have reported. */
  estimatePromptTokens(model: string, units: number): number {
    return this.#promptLength(model).estimateTokens(units);
  }

  /** Looks up what is known for one request: cached prefixes on every replica, its session's pin, its adapter. */
  signalsFor(request: InferenceRequest, _nowMs: number): RequestSignals {
    const slots = this.#slots.length;
    if (this.#matched.length < slots) this.#matched = new Uint32Array(slots);
    else this.#matched.fill(0);
    const matchedTokens = new Float64Array(slots);
    if (request.prefix.count > 0) {
      this.#index.match(request.prefix, this.#matched);
      for (let slot = 0; slot < slots; slot++) {
        const blocks = this.#matched[slot] ?? 0;
        if (blocks > 0) matchedTokens[slot] = tokensOfBlocks(request.prefix, blocks, request.promptTokens);
      }
    }
    return { matchedTokens, pin: null, adapter: null };
  }

  /** The fleet as of now: views over these books, valid until the next event. */
  snapshot(nowMs: number): FleetSnapshot {
    this.#assumeFirstTokens(nowMs);
    const replicas: readonly ReplicaView[] = this.#replicas;
    return {
      takenAtMs: nowMs,
      replicas,
      serving: (model) => this.#byModel.get(model) ?? [],
      baseModelOf: (adapter) => this.#adapterBases.get(adapter) ?? null,
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
    const ledger = this.#ledgers.get(replicaId);
    if (ledger === undefined) return;
    const candidate = decision.candidates.find((each) => each.replica === replicaId);
    const promptTokens = Number.isFinite(request.promptTokens) ? Math.max(1, request.promptTokens) : 1;
    const matchedBlocks =
      request.prefix.count > 0 ? this.#index.insert(ledger.slot, request.prefix, promptTokens) : 0;
    const matchedTokens = tokensOfBlocks(request.prefix, matchedBlocks, promptTokens);
    const cachedTokens = Math.min(candidate?.cachedTokens ?? matchedTokens, promptTokens - 1);
    const uncachedTokens = promptTokens - Math.max(0, cachedTokens);
    const { shape } = ledger.segment;
    const decoding = ledger.decoding.count + ledger.silentDecoding;
    const record: StreamRecord = {
      id: streamId,
      model: request.model,
      sessionKey: request.sessionKey,
      promptUnits: request.prefix.totalUnits,
      isTokenPrompt: request.promptTokensExact,
      matchedTokens,
      promptTokens,
      uncachedTokens,
      workMs: prefillWorkMs(shape, uncachedTokens, promptTokens - uncachedTokens),
      overheadMs: chunkOverheadMs(shape, uncachedTokens, decoding, ledger.contextTokens),
      adapter: decision.adapter,
      adapterLoadMs: 0,
      dispatchedAtMs: nowMs,
      isStreaming: request.isStreaming,
      assumedFirstTokenAtMs: nowMs + (candidate?.predictedTtftMs ?? 0),
      metEmptyQueue: ledger.prefilling.length === 0,
      metForeignQueue: ledger.foreign.queued > 0,
      phase: "prefilling",
      decodingIndex: -1,
      firstTokenAtMs: null,
      lastTokenAtMs: nowMs,
      outputTokens: 0,
      hasUsage: false,
      reportedOutputTokens: null,
    };
    ledger.open(record);
    ledger.segment.observePrefill(record.workMs);
    ledger.lastDispatch = ++this.#dispatches;
    const stream = { ledger, record };
    this.#streams.set(streamId, stream);
    if (!request.isStreaming) this.#silent.add(stream);
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

  /** The engine's own token counts for a stream, also just after its end. */
  usage(streamId: string, usage: StreamUsage): void {
    const stream = this.#streams.get(streamId) ?? this.#ended.get(streamId);
    if (stream === undefined) return;
    const { record, ledger } = stream;
    const { promptTokens, cachedTokens, outputTokens } = usage;
    if (record.hasUsage) return;
    record.hasUsage = true;
    if (promptTokens !== null && !record.isTokenPrompt) {
      this.#promptLength(record.model).observe(record.promptUnits, promptTokens);
    }
    if (cachedTokens !== null) {
      ledger.calibration.observe(record.matchedTokens, cachedTokens);
      ledger.segment.observeHit(cachedTokens, promptTokens ?? record.promptTokens);
    }
    record.reportedOutputTokens = outputTokens;
  }

  /** A stream is over, however it went. Releases its in-flight count exactly once. */
  ended(streamId: string, outcome: StreamOutcome, nowMs: number): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    this.#streams.delete(streamId);
    this.#silent.delete(stream);
    const { record, ledger } = stream;
    const sawFirstToken = record.firstTokenAtMs !== null;
    ledger.close(record, nowMs);
    if (outcome === "completed") {
      const tokens =
        record.reportedOutputTokens ?? (record.isStreaming && sawFirstToken ? record.outputTokens : null);
      if (tokens !== null) ledger.segment.outputLengths.observe(tokens);
    }
    this.#ended.set(streamId, stream);
    if (this.#ended.size > ENDED_KEPT) {
      const oldest = this.#ended.keys().next();
      if (!oldest.done) this.#ended.delete(oldest.value);
    }
  }

  /** Streams open now, over all replicas. */
  get inFlight(): number {
    return this.#streams.size;
  }

  /** Size of the prefix index. */
  get prefixIndex(): { readonly blocks: number; readonly pairs: number; readonly bytes: number } {
    return { blocks: this.#index.blocks, pairs: this.#index.pairs, bytes: this.#index.bytes };
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

  #segment(id: SegmentId): SegmentLedger {
    const known = this.#segments.get(id);
    if (known !== undefined) return known;
    const made = new SegmentLedger(id);
    this.#segments.set(id, made);
    return made;
  }

  #promptLength(model: string): PromptLength {
    const known = this.#promptLengths.get(model);
    if (known !== undefined) return known;
    const made = new PromptLength();
    // Names come from clients: only those that some replica serves are learned for.
    if (this.#byModel.has(model) || this.#adapterBases.has(model)) this.#promptLengths.set(model, made);
    return made;
  }

  #takeSlot(id: ReplicaId): number {
    const free = this.#slots.indexOf(null);
    const slot = free < 0 ? this.#slots.length : free;
    this.#slots[slot] = id;
    return slot;
  }

  #retire(ledger: ReplicaLedger): void {
    ledger.leave();
    this.#index.clear(ledger.slot);
    this.#slots[ledger.slot] = null;
    if (ledger.segment.members.size === 0) this.#segments.delete(ledger.segment.id);
  }
}

interface OpenStream {
  readonly ledger: ReplicaLedger;
  readonly record: StreamRecord;
}
