import { AdapterSlots } from "./adapter-slots.ts";
import type { ReplicaParameters } from "./replica-parameters.ts";
import { RequestTooLongError } from "./request-too-long-error.ts";
import { type ModelRequest, Sequence } from "./sequence.ts";
import { SequenceBlocks } from "./sequence-blocks.ts";
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

  readonly #blocks: SequenceBlocks;
  readonly #adapters: AdapterSlots;
  readonly #waiting = new WaitingQueue();
  readonly #sequences = new Map<string, Sequence>();
  #running: Sequence[] = [];
  readonly #batch = new StepBatch();
  #emitted: Sequence[] = [];
  #stepEndsAtMs: number | null = null;

  constructor(parameters: ReplicaParameters) {
    this.parameters = parameters;
    this.#blocks = new SequenceBlocks(parameters.kvBlocks, parameters.blockTokens);
    this.#adapters = new AdapterSlots(parameters.adapters);
  }

  get running(): number {
    return this.#running.length;
  }

  get queueDepth(): number {
    return this.#waiting.length;
  }

  get kvOccupancy(): number {
    return this.#blocks.occupancy;
  }

  get kvFreeBlocks(): number {
    return this.#blocks.free;
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
    const blocks = this.#blocks.countCached(request.blockHashes);
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
      else this.#blocks.release(sequence);
    }
    this.#running = kept;
  }

  #scheduleRunning(budget: number): number {
    let left = budget;
    for (let i = 0; i < this.#running.length && left > 0; i += 1) {
      const sequence = this.#running[i];
      if (sequence === undefined) break;
      const tokens = Math.min(sequence.knownTokens - sequence.computedTokens, left);
      const needed = this.#blocks.needed(sequence, sequence.computedTokens + tokens);
      while (this.#blocks.free < needed && this.#running.length > i) this.#preemptLast();
      if (this.#running.length <= i) break;
      this.#blocks.grow(sequence, sequence.computedTokens + tokens);
      this.#batch.add(sequence, tokens);
      left -= tokens;
    }
    return left;
  }

  #preemptLast(): void {
    const victim = this.#running.pop();
    if (victim === undefined) return;
    this.#blocks.preempt(victim);
    victim.state = "waiting";
    this.#waiting.pushFront(victim);
    this.totals.preemptions += 1;
  }

  /** Admits in arrival order; only a sequence whose adapter finds no slot is passed over. Returns adapter load time. */
  #admitWaiting(budget: number, nowMs: number): number {
    const { maxSequences } = this.parameters;
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
      if (!this.#blocks.adopt(sequence)) break;
      this.#waiting.popFront();
      const tokens = Math.min(sequence.knownTokens - sequence.computedTokens, left);
      this.#blocks.grow(sequence, sequence.computedTokens + tokens);
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
}
