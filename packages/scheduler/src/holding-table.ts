import {
  bucketCount,
  grownEntries,
  grownShort,
  grownSigned,
  NONE,
  tableBytes,
  unlinkFrom,
} from "./block-table.ts";

/** Bytes of one slab entry, hash buckets aside. */
const ENTRY_BYTES = 28;
const FIRST_ENTRIES = 1024;

/**
 * (block, replica) pairs in typed arrays. Each is found by hash, is a node of its block's list of holders, and a node
 * of its replica's recency list.
 */
export class HoldingTable {
  #next = new Int32Array(FIRST_ENTRIES);
  #buckets = new Int32Array(bucketCount(FIRST_ENTRIES)).fill(NONE);
  #free = NONE;
  #used = 0;
  block = new Int32Array(FIRST_ENTRIES);
  slot = new Uint16Array(FIRST_ENTRIES);
  /** Open requests that use the block on the replica: while there are any, its engine cannot evict it. */
  users = new Uint16Array(FIRST_ENTRIES);
  /** Other holders of the same block. */
  nextHolder = new Int32Array(FIRST_ENTRIES);
  previousHolder = new Int32Array(FIRST_ENTRIES);
  /** Neighbours in the replica's recency list. */
  newer = new Int32Array(FIRST_ENTRIES);
  older = new Int32Array(FIRST_ENTRIES);
  count = 0;

  get entries(): number {
    return this.block.length;
  }

  get bytes(): number {
    return tableBytes(this.entries, ENTRY_BYTES);
  }

  /** Bytes after the next growth. */
  get grownBytes(): number {
    return tableBytes(grownEntries(this.entries), ENTRY_BYTES);
  }

  find(block: number, slot: number): number {
    let pair = this.#buckets[this.#bucketOf(block, slot)] ?? NONE;
    while (pair !== NONE && (this.block[pair] !== block || this.slot[pair] !== slot))
      pair = this.#next[pair] ?? NONE;
    return pair;
  }

  /** Adds a pair that is not in the table; the caller has seen to it that there is room. */
  add(block: number, slot: number): number {
    let pair = this.#free;
    if (pair !== NONE) this.#free = this.#next[pair] ?? NONE;
    else pair = this.#used++;
    const bucket = this.#bucketOf(block, slot);
    this.block[pair] = block;
    this.slot[pair] = slot;
    this.users[pair] = 0;
    this.#next[pair] = this.#buckets[bucket] ?? NONE;
    this.#buckets[bucket] = pair;
    this.count++;
    return pair;
  }

  remove(pair: number): void {
    unlinkFrom(this.#buckets, this.#bucketOf(this.block[pair] ?? 0, this.slot[pair] ?? 0), this.#next, pair);
    this.block[pair] = NONE;
    this.#next[pair] = this.#free;
    this.#free = pair;
    this.count--;
  }

  grow(): void {
    const entries = grownEntries(this.entries);
    this.#next = grownSigned(this.#next, entries);
    this.block = grownSigned(this.block, entries);
    this.slot = grownShort(this.slot, entries);
    this.users = grownShort(this.users, entries);
    this.nextHolder = grownSigned(this.nextHolder, entries);
    this.previousHolder = grownSigned(this.previousHolder, entries);
    this.newer = grownSigned(this.newer, entries);
    this.older = grownSigned(this.older, entries);
    const buckets = bucketCount(entries);
    if (buckets === this.#buckets.length) return;
    this.#buckets = new Int32Array(buckets).fill(NONE);
    for (let pair = 0; pair < this.#used; pair++) {
      const block = this.block[pair] ?? NONE;
      if (block === NONE) continue;
      const bucket = this.#bucketOf(block, this.slot[pair] ?? 0);
      this.#next[pair] = this.#buckets[bucket] ?? NONE;
      this.#buckets[bucket] = pair;
    }
  }

  #bucketOf(block: number, slot: number): number {
    const key = Math.imul(block, 0x9e3779b1) ^ Math.imul(slot + 1, 0x85ebca6b);
    return (key ^ (key >>> 15)) & (this.#buckets.length - 1);
  }
}
