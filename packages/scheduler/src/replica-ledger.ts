import { AdapterShelf } from "./adapter-shelf.ts";
import { CacheCalibration } from "./cache-calibration.ts";
import { DEFAULT_KV_TOKENS, stepMs } from "./cost-shape.ts";
import { DecodingTable } from "./decoding-table.ts";
import { DispatchWindow } from "./dispatch-window.ts";
import { checkSignals } from "./engine-signals.ts";
import type { DecodingStreams, ForeignLoad, RecentDispatches, ReplicaView } from "./fleet-snapshot.ts";
import { PeerLoads } from "./peer-load.ts";
import { PrefillSampler } from "./prefill-sampler.ts";
import type { EngineSignals, Replica, ReplicaId, ReplicaState } from "./replica.ts";
import type { SegmentLedger } from "./segment-ledger.ts";
import { ALONE_MEMORY, CLIP, type FactorMemory, SpeedFactor } from "./speed-factor.ts";
import type { StreamRecord } from "./stream-record.ts";

/** Time from our dispatch to the engine's scheduler, and from its first token to us, on an idle replica. */
const ENGINE_DELAY_MS = 8;
/** Gauges older than this tell less of others' load on a replica than its segment's mean does. */
const FOREIGN_LIFE_MS = 10_000;
/** Speed factors are read from a cache for this long. */
const FACTOR_LIFE_MS = 100;

/** One replica's books: streams in flight, what they hold, and how fast the replica has proved to be. */
export class ReplicaLedger implements ReplicaView {
  readonly id: ReplicaId;
  readonly slot: number;
  readonly segment: SegmentLedger;
  readonly prefillSpeed = new SpeedFactor(ALONE_MEMORY);
  readonly stepSpeed = new SpeedFactor(ALONE_MEMORY);
  readonly calibration = new CacheCalibration();
  readonly adapters = new AdapterShelf();
  /** What other routers say they have there. */
  readonly peers = new PeerLoads();
  replica: Replica;
  state: ReplicaState = "ready";
  stateSinceMs: number;
  pausedUntilMs = Number.NEGATIVE_INFINITY;
  inFlight = 0;
  lastDispatch = 0;
  silentDecoding = 0;
  contextTokens = 0;
  ownKvTokens = 0;
  readonly prefillingSum = { workMs: 0, overheadMs: 0, adapterLoadMs: 0 };
  prefillingTokens = 0;
  prefillingPromptTokens = 0;
  indexedTokens = 0;
  usedPrefixTokens = 0;
  prefillAnchorMs: number;
  signals: EngineSignals | null = null;
  hasInvalidSignal = false;
  readonly #prefilling: StreamRecord[] = [];
  readonly #decoding = new DecodingTable();
  readonly #sampler: PrefillSampler;
  readonly #recent = new DispatchWindow();
  readonly #listed = new Set<string>();
  #ownForeign: ForeignLoad | null = null;
  /** Since when nothing of ours has been prefilling; gaps that began earlier say nothing about steps. */
  #calmSinceMs: number;
  /** Most requests in flight since the last reading: what the engine may rightly have reported of ours. */
  #mostInFlight = 0;
  #factorsAtMs = Number.NEGATIVE_INFINITY;
  #prefillFactor = 1;
  #stepFactor = 1;

  constructor(replica: Replica, slot: number, segment: SegmentLedger, nowMs: number, stateSinceMs: number) {
    this.replica = replica;
    this.id = replica.id;
    this.slot = slot;
    this.segment = segment;
    this.stateSinceMs = stateSinceMs;
    this.prefillAnchorMs = nowMs;
    this.#calmSinceMs = nowMs;
    this.#sampler = new PrefillSampler(this.prefillSpeed, segment.shape);
    segment.members.add(this);
  }

  get prefilling(): readonly StreamRecord[] {
    return this.#prefilling;
  }

  get decoding(): DecodingStreams {
    return this.#decoding;
  }

  foreign(nowMs: number): ForeignLoad {
    const peers = this.peers.at(nowMs);
    if (peers !== null) return peers;
    const own = this.#ownForeign;
    if (own === null || own.observedAtMs === null) return this.segment.meanForeign;
    return nowMs - own.observedAtMs <= FOREIGN_LIFE_MS ? own : this.segment.meanForeign;
  }

  get kvCapacityTokens(): number {
    return this.signals?.kvCapacityTokens ?? DEFAULT_KV_TOKENS;
  }

  get cacheCalibration(): number {
    return this.calibration.factor;
  }

  get hasLearnedRates(): boolean {
    return this.prefillSpeed.hasEvidence;
  }

  recent(nowMs: number): RecentDispatches {
    return this.#recent.at(nowMs);
  }

  hasListed(adapter: string): boolean {
    return this.#listed.has(adapter);
  }

  setMemory(memory: FactorMemory): void {
    this.prefillSpeed.memory = memory;
    this.stepSpeed.memory = memory;
  }

  prefillFactor(nowMs: number): number {
    this.#refreshFactors(nowMs);
    return this.#prefillFactor;
  }

  stepFactor(nowMs: number): number {
    this.#refreshFactors(nowMs);
    return this.#stepFactor;
  }

  /** Takes an engine's reading; an older one than the last is dropped. */
  observe(raw: EngineSignals): void {
    if (this.signals !== null && raw.observedAtMs < this.signals.observedAtMs) return;
    const { signals, hasInvalid } = checkSignals(raw);
    this.signals = signals;
    this.hasInvalidSignal = hasInvalid;
    if (signals.adapterSlots !== null && signals.adapterSlots >= 1)
      this.adapters.slots = signals.adapterSlots;
    for (const adapter of signals.adapters ?? []) {
      this.#listed.add(adapter);
      this.adapters.confirm(adapter);
    }
    if (signals.running !== null && signals.queueDepth !== null) {
      const foreign = Math.max(0, signals.running + signals.queueDepth - this.#mostInFlight);
      const queued = Math.min(foreign, Math.max(0, signals.queueDepth - this.#prefilling.length));
      const { observedAtMs } = signals;
      const load = { running: foreign - queued, queued, contextTokens: null, waitMs: null, observedAtMs };
      this.segment.countForeign(this.#ownForeign, load);
      this.#ownForeign = load;
    }
    this.#mostInFlight = this.inFlight;
  }

  /** Takes the replica out of its segment's comparisons. */
  leave(): void {
    this.segment.members.delete(this);
    this.segment.countForeign(this.#ownForeign, null);
  }

  /** Counts the last first-token sample once no other can come out of the same step. */
  settle(nowMs: number): void {
    this.#sampler.settle(nowMs);
  }

  /** @param dispatch fleet-wide number of this dispatch. */
  open(stream: StreamRecord, dispatch: number): void {
    this.lastDispatch = dispatch;
    this.segment.observePrefill(stream.workMs);
    if (stream.adapter !== null) this.adapters.open(stream.adapter, stream.dispatchedAtMs);
    if (this.#prefilling.length === 0) this.prefillAnchorMs = stream.dispatchedAtMs;
    this.#prefilling.push(stream);
    this.#addPrefill(stream, 1);
    this.inFlight++;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.inFlight);
    this.#recent.add(stream.uncachedTokens, stream.dispatchedAtMs);
    this.ownKvTokens += stream.looseTokens;
  }

  /** The stream's first token came: its prefill, and every one before it that does not stream, is over. */
  firstToken(stream: StreamRecord, nowMs: number): void {
    const passedMs = this.#passSilent(stream, nowMs);
    if (!stream.metForeignQueue && this.foreign(nowMs).queued === 0) {
      const delayMs = stream.metEmptyQueue ? ENGINE_DELAY_MS : 0;
      const observedMs = nowMs - this.prefillAnchorMs - delayMs - stream.adapterLoadMs;
      this.#sampler.firstToken(stream, observedMs, passedMs, nowMs);
      this.#factorsAtMs = Number.NEGATIVE_INFINITY;
    }
    this.#toDecoding(stream, nowMs);
  }

  /** Takes a request that does not stream as past its prefill. */
  assumeFirstToken(stream: StreamRecord, nowMs: number): void {
    this.#toDecoding(stream, nowMs);
  }

  tokens(stream: StreamRecord, count: number, nowMs: number): void {
    if (this.#prefilling.length === 0 && this.#calmSinceMs <= stream.lastTokenAtMs)
      this.#sampleStep(stream, count, nowMs);
    stream.lastTokenAtMs = nowMs;
    stream.outputTokens += count;
    this.contextTokens += count;
    this.ownKvTokens += count;
    this.#decoding.addGaps(stream, count);
  }

  /** @param isWhole whether the answer was completed. */
  close(stream: StreamRecord, isWhole: boolean, nowMs: number): void {
    this.#sampler.ended(stream, stream.reportedCachedTokens, isWhole, nowMs);
    if (stream.phase === "prefilling") this.#leavePrefilling(stream, nowMs);
    else {
      this.contextTokens -= stream.promptTokens + stream.outputTokens;
      if (stream.isStreaming) this.#decoding.remove(stream);
      else this.silentDecoding--;
    }
    this.ownKvTokens -= stream.looseTokens + stream.outputTokens;
    this.inFlight--;
    if (stream.adapter !== null) this.adapters.close(stream.adapter);
    stream.phase = "ended";
    if (this.inFlight === 0) {
      this.contextTokens = 0;
      this.ownKvTokens = 0;
    }
  }

  #passSilent(stream: StreamRecord, nowMs: number): number {
    let predictedMs = 0;
    while (true) {
      const head = this.#prefilling[0];
      if (head === undefined || head === stream || head.isStreaming) return predictedMs;
      predictedMs += head.workMs + head.overheadMs;
      this.#toDecoding(head, nowMs);
    }
  }

  #toDecoding(stream: StreamRecord, nowMs: number): void {
    this.#leavePrefilling(stream, nowMs);
    this.prefillAnchorMs = nowMs;
    stream.phase = "decoding";
    stream.firstTokenAtMs = nowMs;
    stream.lastTokenAtMs = nowMs;
    stream.outputTokens = 1;
    this.contextTokens += stream.promptTokens + 1;
    this.ownKvTokens += 1;
    if (stream.isStreaming) this.#decoding.add(stream, nowMs);
    else this.silentDecoding++;
  }

  #leavePrefilling(stream: StreamRecord, nowMs: number): void {
    const at = this.#prefilling.indexOf(stream);
    if (at < 0) return;
    this.#prefilling.splice(at, 1);
    this.#addPrefill(stream, -1);
    if (this.#prefilling.length === 0) this.#calmSinceMs = nowMs;
  }

  /** @param sign 1 when the stream begins to prefill, -1 when it is through. */
  #addPrefill(stream: StreamRecord, sign: 1 | -1): void {
    // Sums of fractions do not come back to zero by themselves.
    const isEmpty = this.#prefilling.length === 0;
    const sum = this.prefillingSum;
    sum.workMs = isEmpty ? 0 : sum.workMs + sign * stream.workMs;
    sum.overheadMs = isEmpty ? 0 : sum.overheadMs + sign * stream.overheadMs;
    sum.adapterLoadMs = isEmpty ? 0 : sum.adapterLoadMs + sign * stream.adapterLoadMs;
    this.prefillingTokens = isEmpty ? 0 : this.prefillingTokens + sign * stream.uncachedTokens;
    this.prefillingPromptTokens = isEmpty ? 0 : this.prefillingPromptTokens + sign * stream.promptTokens;
  }

  #sampleStep(stream: StreamRecord, count: number, nowMs: number): void {
    const foreign = this.foreign(nowMs);
    if (foreign.queued > 0) return;
    const sequences = this.#decoding.count + this.silentDecoding + foreign.running;
    if (sequences === 0) return;
    const predictedMs =
      count * stepMs(this.segment.shape, sequences, this.contextTokens + (foreign.contextTokens ?? 0));
    const gapMs = Math.max(0, nowMs - stream.lastTokenAtMs);
    const weight = 1 / sequences;
    this.stepSpeed.observe(
      weight * Math.min(gapMs, CLIP * this.#stepFactor * predictedMs),
      weight * predictedMs,
      nowMs,
    );
  }

  #refreshFactors(nowMs: number): void {
    if (nowMs - this.#factorsAtMs < FACTOR_LIFE_MS && nowMs >= this.#factorsAtMs) return;
    this.#factorsAtMs = nowMs;
    this.settle(nowMs);
    const prefillMedian = this.segment.prefillMedian(nowMs);
    const stepMedian = this.segment.stepMedian(nowMs);
    this.#prefillFactor = this.prefillSpeed.value(nowMs, prefillMedian);
    this.#sampler.believed = this.#prefillFactor;
    // Until gaps arrive, a replica that prefills slowly is taken to decode slowly too.
    const lean = Math.min(4, Math.max(0.25, this.#prefillFactor / prefillMedian));
    this.#stepFactor = this.stepSpeed.value(nowMs, stepMedian * lean);
  }
}
