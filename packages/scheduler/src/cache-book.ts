import type { AdapterBook } from "./adapter-book.ts";
import { DEFAULT_KV_TOKENS } from "./cost-shape.ts";
import { HomeRule, KNOWN_TOKENS } from "./home-rule.ts";
import { promptTokensOf } from "./prediction.ts";
import { NO_PREFIX, type PrefixBlocks, tokensOfBlocks } from "./prefix-blocks.ts";
import { PrefixIndex } from "./prefix-index.ts";
import type { ReplicaLedger } from "./replica-ledger.ts";
import type { ReplicaRoster } from "./replica-roster.ts";
import type { InferenceRequest } from "./request.ts";
import type { StreamRecord } from "./stream-record.ts";

/** What a dispatch found cached. */
export interface CacheFinding {
  /** Leading prompt tokens the replica was sent before. */
  readonly matchedTokens: number;
  /** Whether the request was sent to its home with no cache known there. */
  readonly isHomeGuess: boolean;
}

/** What every engine should have cached: from our own dispatches, those other routers tell of, and homes agreed on. */
export class CacheBook {
  readonly index: PrefixIndex;
  readonly #roster: ReplicaRoster;
  readonly #adapters: AdapterBook;
  readonly #homes = new HomeRule();
  #blocks = new Uint32Array(0);

  constructor(roster: ReplicaRoster, adapters: AdapterBook, byteCap: number) {
    this.#roster = roster;
    this.#adapters = adapters;
    this.index = new PrefixIndex(byteCap);
  }

  joined(ledger: ReplicaLedger): void {
    this.index.setCapacity(ledger.slot, DEFAULT_KV_TOKENS);
  }

  /** Forgets everything a replica holds: its engine restarted or left. */
  forget(ledger: ReplicaLedger): void {
    this.index.clear(ledger.slot);
    this.#note(ledger);
  }

  /** Leading prompt tokens each replica should have, by slot. */
  matchedTokens(request: InferenceRequest, nowMs: number): Float64Array {
    const { slots } = this.#roster;
    const promptTokens = promptTokensOf(request);
    const matched = new Float64Array(slots);
    if (request.prefix.count > 0) {
      if (this.#blocks.length < slots) this.#blocks = new Uint32Array(slots);
      else this.#blocks.fill(0);
      this.index.match(request.prefix, this.#blocks);
      for (let slot = 0; slot < slots; slot++) {
        const blocks = this.#blocks[slot] ?? 0;
        if (blocks > 0) matched[slot] = tokensOfBlocks(request.prefix, blocks, promptTokens);
      }
    }
    const home = this.#homeOf(request, promptTokens, nowMs);
    if (home !== null && (matched[home.slot] ?? 0) < KNOWN_TOKENS) {
      matched[home.slot] = this.#homes.cachedShare * promptTokens;
    }
    return matched;
  }

  /** How much of the prompt open requests use on each replica where it might not fit, by slot; elsewhere left out. */
  usedTokens(request: InferenceRequest): number[] {
    const promptTokens = promptTokensOf(request);
    const used: number[] = [];
    const base = this.#adapters.servedBy(request.model);
    for (const ledger of base === null ? [] : this.#roster.serving(base)) {
      const free = ledger.kvCapacityTokens - ledger.ownKvTokens - ledger.usedPrefixTokens;
      if (free >= promptTokens) continue;
      used[ledger.slot] = this.index.usedTokensOf(ledger.slot, request.prefix, promptTokens);
    }
    return used;
  }

  /** A request was sent to a replica: its prefix will be cached there, and is in use until `closed`. */
  opened(ledger: ReplicaLedger, request: InferenceRequest, nowMs: number): CacheFinding {
    const promptTokens = promptTokensOf(request);
    const isHome = this.#homeOf(request, promptTokens, nowMs) === ledger;
    const matchedTokens = this.index.insert(ledger.slot, request.prefix, promptTokens);
    this.index.use(ledger.slot, request.prefix);
    this.#note(ledger);
    if (this.#roster.isShared) this.#homes.observe(request.prefix, promptTokens, nowMs);
    return { matchedTokens, isHomeGuess: isHome && matchedTokens < KNOWN_TOKENS };
  }

  /** A request is over. Engines keep its blocks while it runs and count their age from its end. */
  closed(ledger: ReplicaLedger, record: StreamRecord): void {
    if (this.#roster.get(ledger.id) === ledger) {
      this.index.release(ledger.slot, record.prefix);
      if (record.firstTokenAtMs !== null) this.index.insert(ledger.slot, record.prefix, record.promptTokens);
      this.#note(ledger);
    }
    record.prefix = NO_PREFIX;
  }

  /** Another router sent a prompt to a replica. */
  peerDispatched(ledger: ReplicaLedger, prefix: PrefixBlocks, promptTokens: number): void {
    this.index.insert(ledger.slot, prefix, promptTokens);
    this.#note(ledger);
  }

  /** What an engine reported as cached for a request. */
  replied(ledger: ReplicaLedger, record: StreamRecord, cachedTokens: number, promptTokens: number): void {
    ledger.calibration.observe(record.matchedTokens, cachedTokens);
    ledger.segment.observeHit(cachedTokens, promptTokens);
    if (record.isHomeGuess) this.#homes.learn(cachedTokens, promptTokens);
  }

  #note(ledger: ReplicaLedger): void {
    ledger.indexedTokens = this.index.heldTokens(ledger.slot);
    ledger.usedPrefixTokens = this.index.usedTokens(ledger.slot);
  }

  /** The request's home among ready replicas, while other routers send to them too. */
  #homeOf(request: InferenceRequest, promptTokens: number, nowMs: number): ReplicaLedger | null {
    if (!this.#roster.isShared) return null;
    const base = this.#adapters.servedBy(request.model);
    const views = base === null ? [] : this.#roster.serving(base).filter((view) => view.state === "ready");
    const id = this.#homes.homeOf(request, promptTokens, views, nowMs);
    return id === null ? null : (this.#roster.get(id) ?? null);
  }
}
