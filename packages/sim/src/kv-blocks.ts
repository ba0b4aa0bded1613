import { BlockHashTable } from "./block-hash-table.ts";

/**
 * The KV block pool of one engine: fixed-size blocks, reference counts, prefix reuse by chained hash, LRU eviction.
 * Behaves as vLLM's block pool: a block whose last user left stays findable by its hash at the tail of the free
 * list, and is forgotten only when it is handed out again.
 */
export class KvBlocks {
  readonly capacity: number;
  readonly #references: Int32Array;
  readonly #previous: Int32Array;
  readonly #next: Int32Array;
  readonly #hashes: Float64Array;
  readonly #hasHash: Uint8Array;
  readonly #byHash: BlockHashTable;
  /** Index of the list's sentinel: its successor is the block to evict first. */
  readonly #sentinel: number;
  #free: number;

  /** @param capacity number of blocks, a positive integer */
  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`KV capacity must be a positive whole number of blocks, got ${capacity}`);
    }
    this.capacity = capacity;
    this.#references = new Int32Array(capacity);
    this.#previous = new Int32Array(capacity + 1);
    this.#next = new Int32Array(capacity + 1);
    this.#hashes = new Float64Array(capacity);
    this.#hasHash = new Uint8Array(capacity);
    this.#byHash = new BlockHashTable(capacity);
    this.#sentinel = capacity;
    this.#free = capacity;
    for (let block = 0; block <= capacity; block += 1) {
      this.#next[block] = block === capacity ? 0 : block + 1;
      this.#previous[block] = block === 0 ? capacity : block - 1;
    }
  }

  /** Blocks nobody uses now, whether or not they still hold a reusable prefix. */
  get free(): number {
    return this.#free;
  }

  /** Share of blocks in use by sequences, 0..1. Reusable but unused blocks count as free, as in vLLM's metric. */
  get occupancy(): number {
    return 1 - this.#free / this.capacity;
  }

  /** Number of distinct hashes that a lookup would find. */
  get findable(): number {
    return this.#byHash.size;
  }

  /** The block that holds `hash`, or -1. */
  find(hash: number): number {
    return this.#byHash.find(hash);
  }

  /** Whether nobody uses the block now: taking it costs one free block. */
  isUnused(block: number): boolean {
    return this.#references[block] === 0;
  }

  /** One more user of a block found by hash. */
  share(block: number): void {
    const references = this.#references[block] ?? 0;
    if (references === 0) this.#unlink(block);
    this.#references[block] = references + 1;
  }

  /** Takes the least recently freed block and forgets what it held. Call only while `free` > 0. */
  allocate(): number {
    const block = this.#next[this.#sentinel] ?? this.#sentinel;
    if (block === this.#sentinel) throw new RangeError("no free KV block: check `free` before allocating");
    this.#unlink(block);
    if (this.#hasHash[block] === 1) {
      this.#byHash.delete(this.#hashes[block] ?? Number.NaN);
      this.#hasHash[block] = 0;
    }
    this.#references[block] = 1;
    return block;
  }

  /** Names a full block so that later prompts find it. A hash already held by another block stays with that block. */
  name(block: number, hash: number): void {
    if (this.#hasHash[block] === 1 || this.#byHash.find(hash) >= 0) return;
    this.#hashes[block] = hash;
    this.#hasHash[block] = 1;
    this.#byHash.add(hash, block);
  }

  /** One user fewer of each block, the tail of the sequence first, so that a prefix outlives its continuation. */
  release(blocks: readonly number[]): void {
    for (let i = blocks.length - 1; i >= 0; i -= 1) {
      const block = blocks[i] ?? 0;
      const references = (this.#references[block] ?? 0) - 1;
      this.#references[block] = references;
      if (references === 0) this.#append(block);
    }
  }

  #unlink(block: number): void {
    const previous = this.#previous[block] ?? 0;
    const next = this.#next[block] ?? 0;
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#free -= 1;
  }

  #append(block: number): void {
    const last = this.#previous[this.#sentinel] ?? 0;
    this.#next[last] = block;
    this.#previous[block] = last;
    this.#next[block] = this.#sentinel;
    this.#previous[this.#sentinel] = block;
    this.#free += 1;
  }
}
