import { AdapterSlots } from "./adapter-slots.ts";
import { KvBlocks } from "./kv-blocks.ts";
import type { ReplicaParameters } from "./replica-parameters.ts";
import { RequestTooLongError } from "./request-too-long-error.ts";
import { type ModelRequest, Sequence } from "./sequence.ts";
import { StepBatch } from "./step-batch.ts";
import { WaitingQueue } from "./waiting-queue.ts";

/** Counters since the replica started; tokens unless the name says otherwise. */
export interface ReplicaTotals {
  steps: number;
  preemptions: number;
  promptTokens: number;
  cachedTokens: number;
  computedTokens: number;
  outputTokens: number;
  busyMs: number;
  adapterLoads: number;
}

/**
 * One engine in virtual time: continuous batching with chunked prefill, paged KV cache with prefix reuse, preemption.
 * Scheduling follows vLLM V1: running sequences first (a token each, or the rest of a prompt), then waiting ones in
 * arrival order within the token budget; a sequence that finds no block for its next token makes the last admitted
 * one give up its blocks and start over.
 *
 * Pure and deterministic: time is an argument. Drive it as `beginStep(now)` → end time, then `endStep()` at that time.
 */
export class ReplicaModel {
  readonly parameters: ReplicaParameters;
  readonly totals: ReplicaTotals = {
    steps: 0,
    preemptions: 0,
    promptTokens: 0,
    cachedTokens: 0,
    computedTokens: 0,
    outputTokens: 0,
    busyMs: 0,
    adapterLoads: 0,
  };
  /** Multiplies every step's duration: a throttled or slower GPU. */
  slowdown = 1;

  readonly #kv: KvBlocks;
  readonly #adapters: AdapterSlots;
  readonly #waiting = new WaitingQueue();
  readonly #sequences = new Map<string, Sequence>();
  #running: Sequence[] = [];
  readonly #batch = new StepBatch();
  #emitted: Sequence[] = [];
  #stepEndsAtMs: number | null = null;
  #privateHashes = 0;

  constructor(parameters: ReplicaParameters) {
    this.parameters = parameters;
    this.#kv = new KvBlocks(parameters.kvBlocks);
    this.#adapters = new AdapterSlots(parameters.adapters);
  }

  get running(): number {
    return this.#running.length;
  }

  get queueDepth(): number {
    return this.#waiting.length;
  }

  get kvOccupancy(): number {
    return this.#kv.occupancy;
  }

  get kvFreeBlocks(): number {
    return this.#kv.free;
  }

  /** When the step under way ends, null when the engine is idle. */
  get stepEndsAtMs(): number | null {
    return this.#stepEndsAtMs;
  }

  /** Adapters in GPU memory, most recently used last. */
  get residentAdapters(): readonly string[] {
    return this.#adapters.resident;
  }

  runningSequences(): readonly Sequence[] {
    return this.#running;
  }

  waitingSequences(): readonly Sequence[] {
    return this.#waiting.toArray();
  }

  /**
   * Puts a request at the end of the waiting queue.
   * @throws RequestTooLongError when it could never fit
   */
  enqueue(request: ModelRequest, nowMs: number): Sequence {
    const limit = Math.min(
      this.parameters.maxModelTokens,
      this.parameters.kvBlocks * this.parameters.blockTokens,
    );
    const tokens = request.promptTokens + request.outputTokens;
    if (tokens > limit) throw new RequestTooLongError(tokens, limit);
    const sequence = new Sequence(request, nowMs);
    this.#sequences.set(request.id, sequence);
    this.#waiting.pushBack(sequence);
    return sequence;
  }

  /** Drops a request, whatever its state. Its blocks are free once the step under way has ended. */
  abort(id: string): void {
    const sequence = this.#sequences.get(id);
    if (sequence === undefined) return;
    this.#sequences.delete(id);
    if (sequence.state === "waiting") {
      this.#waiting.remove(sequence);
      sequence.state = "aborted";
      return;
    }
    sequence.state = "aborted";
    if (this.#stepEndsAtMs === null) this.#dropGone();
  }

  /** How many prompt tokens the cache would serve now; a probe for tests and for the oracle bound. */
  cachedTokensOf(request: ModelRequest): number {
    const { blockTokens } = this.parameters;
    let blocks = 0;
    for (const hash of request.blockHashes) {
      if (this.#kv.find(hash) < 0) break;
      blocks += 1;
    }
    return Math.min(blocks, Math.floor((request.promptTokens - 1) / blockTokens)) * blockTokens;
  }

  /**
   * Chooses the next batch and starts computing it.
   * @returns when it will end, or null when there is nothing to do or a step is under way
   */
  beginStep(nowMs: number): number | null {
    if (this.#stepEndsAtMs !== null) return null;
    this.#batch.clear();
    let budget = this.parameters.maxBatchedTokens;
    const preemptionsBefore = this.totals.preemptions;
    budget = this.#scheduleRunning(budget);
    let loadMs = 0;
    if (this.totals.preemptions === preemptionsBefore) loadMs = this.#admitWaiting(budget, nowMs);
    if (this.#batch.size === 0) return null;
    const durationMs = (this.#batch.durationMs(this.parameters) + loadMs) * this.slowdown;
    this.totals.computedTokens += this.#batch.tokens;
    this.totals.steps += 1;
    this.totals.busyMs += durationMs;
    this.#stepEndsAtMs = nowMs + durationMs;
    return this.#stepEndsAtMs;
  }

  /**
   * Finishes the step under way: one token for each sequence whose known tokens are all computed.
   * @returns the sequences that produced a token; reused by the next call
   */
  endStep(): readonly Sequence[] {
    const endedAtMs = this.#stepEndsAtMs;
    const emitted = this.#emitted;
    emitted.length = 0;
    if (endedAtMs === null) return emitted;
    this.#stepEndsAtMs = null;
    let isGone = false;
    for (let i = 0; i < this.#batch.size; i += 1) {
      const sequence = this.#batch.sequences[i];
      if (sequence === undefined) continue;
      if (sequence.state === "aborted") {
        isGone = true;
        continue;
      }
      sequence.computedTokens += this.#batch.tokensOf[i] ?? 0;
      if (sequence.computedTokens < sequence.knownTokens) continue;
      sequence.outputTokens += 1;
      sequence.firstTokenAtMs ??= endedAtMs;
      sequence.lastTokenAtMs = endedAtMs;
      this.totals.outputTokens += 1;
      emitted.push(sequence);
      if (sequence.outputTokens >= sequence.request.outputTokens) {
        sequence.state = "finished";
        this.#sequences.delete(sequence.request.id);
        isGone = true;
      }
    }
    if (isGone || this.#running.some((sequence) => sequence.state === "aborted")) this.#dropGone();
    return emitted;
  }

  #dropGone(): void {
    const kept: Sequence[] = [];
    for (const sequence of this.#running) {
      if (sequence.state === "running") kept.push(sequence);
      else this.#releaseBlocks(sequence);
    }
    this.#running = kept;
  }

  #scheduleRunning(budget: number): number {
    const { blockTokens } = this.parameters;
    let left = budget;
    for (let i = 0; i < this.#running.length && left > 0; i += 1) {
      const sequence = this.#running[i];
      if (sequence === undefined) break;
      const tokens = Math.min(sequence.knownTokens - sequence.computedTokens, left);
      const needed = Math.ceil((sequence.computedTokens + tokens) / blockTokens) - sequence.blocks.length;
      while (this.#kv.free < needed && this.#running.length > i) this.#preemptLast();
      if (this.#running.length <= i) break;
      this.#allocate(sequence, needed, sequence.computedTokens + tokens);
      this.#batch.add(sequence, tokens);
      left -= tokens;
    }
    return left;
  }

  #preemptLast(): void {
    const victim = this.#running.pop();
    if (victim === undefined) return;
    // Nobody else can look up a private block, so it gets its hash only now that its owner will come back for it.
    const full = Math.floor(victim.computedTokens / this.parameters.blockTokens);
    for (let i = 0; i < full; i += 1) {
      const block = victim.blocks[i];
      if (block !== undefined)
        this.#kv.name(
          block,
          victim.hashOf(i, () => -++this.#privateHashes),
        );
    }
    this.#releaseBlocks(victim);
    victim.computedTokens = 0;
    victim.state = "waiting";
    this.#waiting.pushFront(victim);
    this.totals.preemptions += 1;
  }

  /** Admits in arrival order; only a sequence whose adapter finds no slot is passed over. Returns adapter load time. */
  #admitWaiting(budget: number, nowMs: number): number {
    const { blockTokens, maxSequences } = this.parameters;
    let left = budget;
    let loadMs = 0;
    const batchAdapters = this.#runningAdapters();
    const deferred: Sequence[] = [];
    while (left > 0 && this.#running.length < maxSequences) {
      const sequence = this.#waiting.peek();
      if (sequence === undefined) break;
      const { adapter } = sequence.request;
      if (
        adapter !== null &&
        !batchAdapters.has(adapter) &&
        batchAdapters.size >= this.parameters.adapters.slots
      ) {
        this.#waiting.popFront();
        deferred.push(sequence);
        continue;
      }
      const cached = this.#cachedBlocks(sequence);
      let evictable = 0;
      for (const block of cached) if (this.#kv.isUnused(block)) evictable += 1;
      const wholePrompt = Math.ceil(sequence.knownTokens / blockTokens) - cached.length;
      if (wholePrompt + evictable > this.#kv.free) break;
      this.#waiting.popFront();
      for (const block of cached) this.#kv.share(block);
      sequence.blocks = cached;
      sequence.namedBlocks = cached.length;
      sequence.computedTokens = cached.length * blockTokens;
      const tokens = Math.min(sequence.knownTokens - sequence.computedTokens, left);
      const needed = Math.ceil((sequence.computedTokens + tokens) / blockTokens) - cached.length;
      this.#allocate(sequence, needed, sequence.computedTokens + tokens);
      if (sequence.scheduledAtMs === null) {
        sequence.scheduledAtMs = nowMs;
        sequence.cachedTokens = sequence.computedTokens;
        this.totals.promptTokens += sequence.request.promptTokens;
        this.totals.cachedTokens += sequence.cachedTokens;
      }
      if (adapter !== null) {
        batchAdapters.add(adapter);
        const load = this.#adapters.use(adapter, batchAdapters);
        if (load > 0) this.totals.adapterLoads += 1;
        loadMs += load;
      }
      sequence.state = "running";
      this.#running.push(sequence);
      this.#batch.add(sequence, tokens);
      left -= tokens;
    }
    for (let i = deferred.length - 1; i >= 0; i -= 1) {
      const sequence = deferred[i];
      if (sequence !== undefined) this.#waiting.pushFront(sequence);
    }
    return loadMs;
  }

  #runningAdapters(): Set<string> {
    const adapters = new Set<string>();
    for (const { request } of this.#running) if (request.adapter !== null) adapters.add(request.adapter);
    return adapters;
  }

  /** Leading full blocks found by hash; the last token is always computed, so at least one block stays out. */
  #cachedBlocks(sequence: Sequence): number[] {
    const { blockTokens } = this.parameters;
    const limit = Math.floor((sequence.knownTokens - 1) / blockTokens);
    const found: number[] = [];
    for (let i = 0; i < limit; i += 1) {
      const hash = sequence.knownHash(i);
      const block = hash === null ? -1 : this.#kv.find(hash);
      if (block < 0) break;
      found.push(block);
    }
    return found;
  }

  #allocate(sequence: Sequence, blocks: number, computedAfter: number): void {
    for (let i = 0; i < blocks; i += 1) sequence.blocks.push(this.#kv.allocate());
    // Engines name a block when they schedule its last token, so a request admitted in the same step already finds it.
    const full = Math.floor(computedAfter / this.parameters.blockTokens);
    for (let i = sequence.namedBlocks; i < full; i += 1) {
      const block = sequence.blocks[i];
      if (block !== undefined)
        this.#kv.name(
          block,
          sequence.hashOf(i, () => -++this.#privateHashes),
        );
    }
    if (full > sequence.namedBlocks) sequence.namedBlocks = full;
  }

  #releaseBlocks(sequence: Sequence): void {
    this.#kv.release(sequence.blocks);
    sequence.blocks = [];
    sequence.namedBlocks = 0;
  }
}
