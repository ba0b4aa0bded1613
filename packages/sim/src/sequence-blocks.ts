import { KvBlocks } from "./kv-blocks.ts";
import type { Sequence } from "./sequence.ts";

/** The KV blocks of an engine's sequences: prefix look-up, growth, naming and release. */
export class SequenceBlocks {
  readonly #kv: KvBlocks;
  readonly #blockTokens: number;
  #privateHashes = 0;

  constructor(kvBlocks: number, blockTokens: number) {
    this.#kv = new KvBlocks(kvBlocks);
    this.#blockTokens = blockTokens;
  }

  get free(): number {
    return this.#kv.free;
  }

  get occupancy(): number {
    return this.#kv.occupancy;
  }

  /** Leading blocks of a list of hashes that the cache holds. */
  countCached(hashes: Iterable<number>): number {
    let blocks = 0;
    for (const hash of hashes) {
      if (this.#kv.find(hash) < 0) break;
      blocks += 1;
    }
    return blocks;
  }

  /** Blocks a sequence lacks for its first `tokens` tokens. */
  needed(sequence: Sequence, tokens: number): number {
    return Math.ceil(tokens / this.#blockTokens) - sequence.blocks.length;
  }

  /**
   * Gives a sequence the leading blocks that the cache holds, if the rest of its known tokens would fit as well; the
   * last token is always computed. Returns whether it did.
   */
  adopt(sequence: Sequence): boolean {
    const limit = Math.floor((sequence.knownTokens - 1) / this.#blockTokens);
    const found: number[] = [];
    let unused = 0;
    for (let i = 0; i < limit; i += 1) {
      const hash = sequence.knownHash(i);
      const block = hash === null ? -1 : this.#kv.find(hash);
      if (block < 0) break;
      found.push(block);
      if (this.#kv.isUnused(block)) unused += 1;
    }
    const rest = Math.ceil(sequence.knownTokens / this.#blockTokens) - found.length;
    if (rest + unused > this.#kv.free) return false;
    for (const block of found) this.#kv.share(block);
    sequence.blocks = found;
    sequence.namedBlocks = found.length;
    sequence.computedTokens = found.length * this.#blockTokens;
    return true;
  }

  /** Takes the blocks for a sequence's first `tokens` tokens. Call only while `free` covers `needed`. */
  grow(sequence: Sequence, tokens: number): void {
    const needed = this.needed(sequence, tokens);
    for (let i = 0; i < needed; i += 1) sequence.blocks.push(this.#kv.allocate());
    // Engines name a block when they schedule its last token, so a request admitted in the same step already finds it.
    const full = Math.floor(tokens / this.#blockTokens);
    for (let i = sequence.namedBlocks; i < full; i += 1) this.#name(sequence, i, sequence.knownHash(i));
    if (full > sequence.namedBlocks) sequence.namedBlocks = full;
  }

  /** Gives up the blocks of a sequence that will come back for them. */
  preempt(sequence: Sequence): void {
    // Nobody else can look up a private block, so it gets its hash only now.
    const full = Math.floor(sequence.computedTokens / this.#blockTokens);
    for (let i = 0; i < full; i += 1) {
      this.#privateHashes -= 1;
      this.#name(
        sequence,
        i,
        sequence.hashOf(i, () => this.#privateHashes),
      );
    }
    this.release(sequence);
    sequence.computedTokens = 0;
  }

  release(sequence: Sequence): void {
    this.#kv.release(sequence.blocks);
    sequence.blocks = [];
    sequence.namedBlocks = 0;
  }

  #name(sequence: Sequence, index: number, hash: number | null): void {
    const block = sequence.blocks[index];
    if (block !== undefined && hash !== null) this.#kv.name(block, hash);
  }
}
