/** No entry. */
export const NONE = -1;
/** Bytes of one slab entry, hash buckets aside. */
const ENTRY_BYTES = 20;
const FIRST_ENTRIES = 1024;

/**
 * Hash table from block hash to block index, in typed arrays: a slab of entries, chained buckets, a free list.
 * Growth by a quarter keeps the slack small; buckets are a power of two near the number of entries.
 */
export class BlockTable {
  #lo = new Uint32Array(FIRST_ENTRIES);
  #hi = new Uint32Array(FIRST_ENTRIES);
  #next = new Int32Array(FIRST_ENTRIES);
  #buckets = new Int32Array(bucketCount(FIRST_ENTRIES)).fill(NONE);
  #free = NONE;
  #used = 0;
  /** First of the block's holders in the `HoldingTable`. */
  head = new Int32Array(FIRST_ENTRIES);
  /** Replicas that hold the block. */
  holders = new Uint16Array(FIRST_ENTRIES);
  /** Tokens in the block. */
  tokens = new Uint16Array(FIRST_ENTRIES);
  count = 0;

  get entries(): number {
    return this.#lo.length;
  }

  get bytes(): number {
    return tableBytes(this.entries, ENTRY_BYTES);
  }

  /** Bytes after the next growth. */
  get grownBytes(): number {
    return tableBytes(grownEntries(this.entries), ENTRY_BYTES);
  }

  find(lo: number, hi: number): number {
    let block = this.#buckets[lo & (this.#buckets.length - 1)] ?? NONE;
    while (block !== NONE && (this.#lo[block] !== lo || this.#hi[block] !== hi))
      block = this.#next[block] ?? NONE;
    return block;
  }

  /** Adds a block that is not in the table; the caller has seen to it that there is room. */
  add(lo: number, hi: number, tokens: number): number {
    let block = this.#free;
    if (block !== NONE) this.#free = this.#next[block] ?? NONE;
    else block = this.#used++;
    const bucket = lo & (this.#buckets.length - 1);
    this.#lo[block] = lo;
    this.#hi[block] = hi;
    this.#next[block] = this.#buckets[bucket] ?? NONE;
    this.#buckets[bucket] = block;
    this.head[block] = NONE;
    this.holders[block] = 0;
    this.tokens[block] = Math.min(65_535, tokens);
    this.count++;
    return block;
  }

  remove(block: number): void {
    unlinkFrom(this.#buckets, (this.#lo[block] ?? 0) & (this.#buckets.length - 1), this.#next, block);
    // No holders marks a free entry, so that growth does not put it back into a bucket.
    this.holders[block] = 0;
    this.#next[block] = this.#free;
    this.#free = block;
    this.count--;
  }

  grow(): void {
    const entries = grownEntries(this.entries);
    this.#lo = grownUnsigned(this.#lo, entries);
    this.#hi = grownUnsigned(this.#hi, entries);
    this.#next = grownSigned(this.#next, entries);
    this.head = grownSigned(this.head, entries);
    this.holders = grownShort(this.holders, entries);
    this.tokens = grownShort(this.tokens, entries);
    const buckets = bucketCount(entries);
    if (buckets === this.#buckets.length) return;
    this.#buckets = new Int32Array(buckets).fill(NONE);
    for (let block = 0; block < this.#used; block++) {
      if (this.holders[block] === 0) continue;
      const bucket = (this.#lo[block] ?? 0) & (buckets - 1);
      this.#next[block] = this.#buckets[bucket] ?? NONE;
      this.#buckets[bucket] = block;
    }
  }
}

export function grownEntries(entries: number): number {
  return Math.ceil(entries * 1.25);
}

/** The power of two in (entries / 1.5, entries · 4/3]. */
export function bucketCount(entries: number): number {
  let buckets = 1;
  while (buckets * 1.5 <= entries) buckets *= 2;
  return buckets;
}

export function tableBytes(entries: number, entryBytes: number): number {
  return entries * entryBytes + 4 * bucketCount(entries);
}

export function grownSigned(array: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(array);
  return larger;
}

function grownUnsigned(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}

export function grownShort(array: Uint16Array<ArrayBuffer>, size: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(size);
  larger.set(array);
  return larger;
}

/** Takes an entry out of a singly linked hash chain. */
export function unlinkFrom(buckets: Int32Array, bucket: number, next: Int32Array, entry: number): void {
  let at = buckets[bucket] ?? NONE;
  if (at === entry) {
    buckets[bucket] = next[entry] ?? NONE;
    return;
  }
  while (at !== NONE) {
    const following = next[at] ?? NONE;
    if (following === entry) {
      next[at] = next[entry] ?? NONE;
      return;
    }
    at = following;
  }
}
