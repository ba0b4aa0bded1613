const LOAD_SHARE = 0.5;

/**
 * Block by hash: an open-addressed table of fixed size with linear probing. Engines look up and forget millions of
 * blocks in a simulation, where a `Map` with keys beyond 31 bits would be most of the run time.
 */
export class BlockHashTable {
  readonly #mask: number;
  readonly #hashes: Float64Array;
  /** Block + 1; 0 marks a free place. */
  readonly #blocks: Int32Array;
  #size = 0;

  /** @param capacity most entries ever held at once */
  constructor(capacity: number) {
    let places = 16;
    while (places * LOAD_SHARE < capacity) places *= 2;
    this.#mask = places - 1;
    this.#hashes = new Float64Array(places);
    this.#blocks = new Int32Array(places);
  }

  get size(): number {
    return this.#size;
  }

  /** The block under `hash`, or -1. */
  find(hash: number): number {
    return (this.#blocks[this.#place(hash)] ?? 0) - 1;
  }

  /** Adds a block under a hash that is not in the table. */
  add(hash: number, block: number): void {
    const place = this.#place(hash);
    this.#hashes[place] = hash;
    this.#blocks[place] = block + 1;
    this.#size += 1;
  }

  /** Removes a hash; nothing happens when it is not there. */
  delete(hash: number): void {
    let hole = this.#place(hash);
    if (this.#blocks[hole] === 0) return;
    this.#size -= 1;
    // Entries that were pushed past the hole move back into it, so that no lookup stops short of them.
    for (let place = (hole + 1) & this.#mask; this.#blocks[place] !== 0; place = (place + 1) & this.#mask) {
      const home = this.#home(this.#hashes[place] ?? 0);
      if (((place - home) & this.#mask) < ((place - hole) & this.#mask)) continue;
      this.#hashes[hole] = this.#hashes[place] ?? 0;
      this.#blocks[hole] = this.#blocks[place] ?? 0;
      hole = place;
    }
    this.#blocks[hole] = 0;
  }

  /** Where a hash is, or the free place where it would go. */
  #place(hash: number): number {
    const hashes = this.#hashes;
    const blocks = this.#blocks;
    let place = this.#home(hash);
    while (blocks[place] !== 0 && hashes[place] !== hash) place = (place + 1) & this.#mask;
    return place;
  }

  #home(hash: number): number {
    const high = Math.floor(hash / 4294967296);
    let mixed = Math.imul(hash | 0, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    mixed ^= mixed >>> 15;
    return mixed & this.#mask;
  }
}
