import { BlockTable, NONE } from "./block-table.ts";
import { HoldingTable } from "./holding-table.ts";
import { type PrefixBlocks, tokensOfBlocks } from "./prefix-blocks.ts";

/** Pairs dropped at a time when the byte cap is reached. */
const EVICT_BATCH = 64;
const LEAST_BYTE_CAP = 256 * 1024;

/**
 * Which replica was sent which prefix blocks: an approximation of every engine's prefix cache, kept from our own
 * dispatches alone.
 *
 * Each replica forgets its least recently used blocks past its own capacity, as its engine does, and the whole index
 * stays under a byte cap by taking from the replica that holds most. Prefixes are touched tail first, so a parent is
 * always more recent than its children: what a replica holds of a prompt is always a leading run of its blocks.
 */
export class PrefixIndex {
  readonly #byteCap: number;
  readonly #blocks = new BlockTable();
  readonly #holdings = new HoldingTable();
  // Replicas, by slot.
  readonly #newest: number[] = [];
  readonly #oldest: number[] = [];
  readonly #held: number[] = [];
  readonly #heldTokens: number[] = [];
  readonly #usedTokens: number[] = [];
  /** Tokens. */
  readonly #capacity: number[] = [];
  /** Block indexes of the prefix being looked up; reused. */
  #path = new Int32Array(1024);
  /** The replica's pairs with the leading blocks of the prefix being inserted; reused. */
  #pairs = new Int32Array(1024);

  /** @param byteCap most bytes that the tables may take; at least 256 KiB is used. */
  constructor(byteCap: number) {
    this.#byteCap = Math.max(byteCap, LEAST_BYTE_CAP);
  }

  /** Distinct blocks held by at least one replica. */
  get blocks(): number {
    return this.#blocks.count;
  }

  /** (block, replica) pairs. */
  get pairs(): number {
    return this.#holdings.count;
  }

  /** Bytes that the tables take now. */
  get bytes(): number {
    return this.#blocks.bytes + this.#holdings.bytes;
  }

  /** Blocks held by a replica. */
  held(slot: number): number {
    return this.#held[slot] ?? 0;
  }

  /** Tokens in the blocks held by a replica. */
  heldTokens(slot: number): number {
    return this.#heldTokens[slot] ?? 0;
  }

  /** Tokens in the blocks that open requests use on a replica; a block that several share counts once. */
  usedTokens(slot: number): number {
    return this.#usedTokens[slot] ?? 0;
  }

  /** Sets how many tokens a replica's cache can hold; past it the least recently used blocks go. */
  setCapacity(slot: number, tokens: number): void {
    this.#touchSlot(slot);
    this.#capacity[slot] = Math.max(1, tokens);
    this.#trim(slot);
  }

  /** Forgets everything a replica holds: its engine restarted or left. */
  clear(slot: number): void {
    while (this.held(slot) > 0) this.#drop(this.#oldest[slot] ?? NONE);
  }

  /**
   * Leading blocks of a prompt held by each replica, for all of them at once.
   * @param into receives block counts by slot and must hold zeros.
   */
  match(prefix: PrefixBlocks, into: Uint32Array): void {
    const depth = this.#walk(prefix, prefix.count);
    const { nextHolder, slot: slots } = this.#holdings;
    let assigned = 0;
    // From the deepest block up: holders of a block hold all blocks before it, so a block with no more holders than
    // were met already has nothing to add.
    for (let i = depth - 1; i >= 0; i--) {
      const block = this.#path[i] ?? NONE;
      if (this.#blocks.holders[block] === assigned) continue;
      for (let pair = this.#blocks.head[block] ?? NONE; pair !== NONE; pair = nextHolder[pair] ?? NONE) {
        const slot = slots[pair] ?? 0;
        if (into[slot] !== 0) continue;
        into[slot] = i + 1;
        assigned++;
      }
    }
  }

  /**
   * Notes that a prompt was sent to a replica, which will hold all of its blocks.
   * @param promptTokens length of the prompt in tokens.
   * @returns leading tokens it held before.
   */
  insert(slot: number, prefix: PrefixBlocks, promptTokens: number): number {
    this.#touchSlot(slot);
    const wanted = blocksWithin(prefix, promptTokens, this.#capacity[slot] ?? 0);
    const limit = Math.min(wanted, this.#reserve(wanted));
    const depth = this.#walk(prefix, limit);
    const matched = this.#findPairs(slot, depth);
    let upToEnd = matched < limit ? tokensOfBlocks(prefix, limit, promptTokens) : 0;
    for (let i = limit - 1; i >= 0; i--) {
      let block = i < depth ? (this.#path[i] ?? NONE) : NONE;
      let pair: number;
      if (i < matched) {
        pair = this.#pairs[i] ?? NONE;
        this.#unlinkRecency(pair, slot);
      } else {
        const upToStart = tokensOfBlocks(prefix, i, promptTokens);
        if (block === NONE) {
          block = this.#blocks.add(
            prefix.hashes[2 * i] ?? 0,
            prefix.hashes[2 * i + 1] ?? 0,
            Math.round(upToEnd - upToStart),
          );
        }
        upToEnd = upToStart;
        pair = this.#hold(block, slot);
      }
      this.#linkNewest(pair, slot);
    }
    this.#trim(slot);
    return tokensOfBlocks(prefix, matched, promptTokens);
  }

  /**
   * Notes that an open request uses its prefix on a replica from now on: its engine will not evict that. Call after
   * `insert`, and `release` once when the request is over.
   */
  use(slot: number, prefix: PrefixBlocks): void {
    const { users, block: blocks } = this.#holdings;
    const held = this.#findPairs(slot, this.#walk(prefix, prefix.count));
    for (let i = 0; i < held; i++) {
      const pair = this.#pairs[i] ?? NONE;
      if (users[pair] === 0) this.#addUsed(slot, this.#blocks.tokens[blocks[pair] ?? NONE] ?? 0);
      users[pair] = (users[pair] ?? 0) + 1;
    }
  }

  release(slot: number, prefix: PrefixBlocks): void {
    const { users, block: blocks } = this.#holdings;
    const held = this.#findPairs(slot, this.#walk(prefix, prefix.count));
    for (let i = 0; i < held; i++) {
      const pair = this.#pairs[i] ?? NONE;
      // The byte cap may have taken the block in the meantime, and another request brought it back.
      if (users[pair] === 0) continue;
      users[pair] = (users[pair] ?? 0) - 1;
      if (users[pair] === 0) this.#addUsed(slot, -(this.#blocks.tokens[blocks[pair] ?? NONE] ?? 0));
    }
  }

  /** Leading tokens of a prompt in blocks that open requests use on the replica. */
  usedTokensOf(slot: number, prefix: PrefixBlocks, promptTokens: number): number {
    const held = this.#findPairs(slot, this.#walk(prefix, prefix.count));
    let used = 0;
    while (used < held && (this.#holdings.users[this.#pairs[used] ?? NONE] ?? 0) > 0) used++;
    return tokensOfBlocks(prefix, used, promptTokens);
  }

  #addUsed(slot: number, tokens: number): void {
    this.#usedTokens[slot] = this.usedTokens(slot) + tokens;
  }

  /** Looks the prefix's blocks up in order until one is unknown; their indexes are left in `#path`. */
  #walk(prefix: PrefixBlocks, limit: number): number {
    if (this.#path.length < limit) this.#path = new Int32Array(2 * limit);
    const { hashes } = prefix;
    let depth = 0;
    while (depth < limit) {
      const block = this.#blocks.find(hashes[2 * depth] ?? 0, hashes[2 * depth + 1] ?? 0);
      if (block === NONE) break;
      this.#path[depth++] = block;
    }
    return depth;
  }

  /** Finds what a replica holds of the walked path, in order until it lacks a block; left in `#pairs`. */
  #findPairs(slot: number, depth: number): number {
    if (this.#pairs.length < depth) this.#pairs = new Int32Array(this.#path.length);
    let matched = 0;
    while (matched < depth) {
      const pair = this.#holdings.find(this.#path[matched] ?? NONE, slot);
      if (pair === NONE) break;
      this.#pairs[matched++] = pair;
    }
    return matched;
  }

  /**
   * Makes room for `wanted` new blocks and pairs: by growth while the byte cap allows it, else by evicting.
   * @returns how many there is room for.
   */
  #reserve(wanted: number): number {
    while (this.#blocks.entries - this.#blocks.count < wanted) {
      if (this.#blocks.grownBytes + this.#holdings.bytes <= this.#byteCap) this.#blocks.grow();
      else if (!this.#evictBatch()) break;
    }
    while (this.#holdings.entries - this.#holdings.count < wanted) {
      if (this.#holdings.grownBytes + this.#blocks.bytes <= this.#byteCap) this.#holdings.grow();
      else if (!this.#evictBatch()) break;
    }
    return Math.min(this.#blocks.entries - this.#blocks.count, this.#holdings.entries - this.#holdings.count);
  }

  /** Takes the least recently used pairs of the replica that holds most. */
  #evictBatch(): boolean {
    let fullest = 0;
    for (let slot = 1; slot < this.#held.length; slot++)
      if (this.held(slot) > this.held(fullest)) fullest = slot;
    if (this.held(fullest) === 0) return false;
    for (let i = 0; i < EVICT_BATCH && this.held(fullest) > 0; i++) this.#drop(this.#oldest[fullest] ?? NONE);
    return true;
  }

  /** Drops what is past the replica's capacity, least recently used first; what open requests use gets another turn. */
  #trim(slot: number): void {
    let turns = this.held(slot);
    while (turns-- > 0 && this.heldTokens(slot) > (this.#capacity[slot] ?? 0)) {
      const oldest = this.#oldest[slot] ?? NONE;
      if ((this.#holdings.users[oldest] ?? 0) > 0) {
        this.#unlinkRecency(oldest, slot);
        this.#linkNewest(oldest, slot);
      } else this.#drop(oldest);
    }
  }

  #touchSlot(slot: number): void {
    while (this.#held.length <= slot) {
      this.#held.push(0);
      this.#heldTokens.push(0);
      this.#usedTokens.push(0);
      this.#newest.push(NONE);
      this.#oldest.push(NONE);
      this.#capacity.push(Number.POSITIVE_INFINITY);
    }
  }

  #hold(block: number, slot: number): number {
    const pair = this.#holdings.add(block, slot);
    const head = this.#blocks.head[block] ?? NONE;
    this.#holdings.nextHolder[pair] = head;
    this.#holdings.previousHolder[pair] = NONE;
    if (head !== NONE) this.#holdings.previousHolder[head] = pair;
    this.#blocks.head[block] = pair;
    this.#blocks.holders[block] = (this.#blocks.holders[block] ?? 0) + 1;
    this.#held[slot] = this.held(slot) + 1;
    this.#heldTokens[slot] = this.heldTokens(slot) + (this.#blocks.tokens[block] ?? 0);
    return pair;
  }

  #drop(pair: number): void {
    const block = this.#holdings.block[pair] ?? NONE;
    const slot = this.#holdings.slot[pair] ?? 0;
    this.#unlinkRecency(pair, slot);
    if ((this.#holdings.users[pair] ?? 0) > 0) this.#addUsed(slot, -(this.#blocks.tokens[block] ?? 0));
    const next = this.#holdings.nextHolder[pair] ?? NONE;
    const previous = this.#holdings.previousHolder[pair] ?? NONE;
    if (previous === NONE) this.#blocks.head[block] = next;
    else this.#holdings.nextHolder[previous] = next;
    if (next !== NONE) this.#holdings.previousHolder[next] = previous;
    this.#holdings.remove(pair);
    this.#held[slot] = this.held(slot) - 1;
    this.#heldTokens[slot] = this.heldTokens(slot) - (this.#blocks.tokens[block] ?? 0);
    const holders = (this.#blocks.holders[block] ?? 1) - 1;
    this.#blocks.holders[block] = holders;
    if (holders === 0) this.#blocks.remove(block);
  }

  #linkNewest(pair: number, slot: number): void {
    const newest = this.#newest[slot] ?? NONE;
    this.#holdings.older[pair] = newest;
    this.#holdings.newer[pair] = NONE;
    if (newest === NONE) this.#oldest[slot] = pair;
    else this.#holdings.newer[newest] = pair;
    this.#newest[slot] = pair;
  }

  #unlinkRecency(pair: number, slot: number): void {
    const newer = this.#holdings.newer[pair] ?? NONE;
    const older = this.#holdings.older[pair] ?? NONE;
    if (newer === NONE) this.#newest[slot] = older;
    else this.#holdings.older[newer] = older;
    if (older === NONE) this.#oldest[slot] = newer;
    else this.#holdings.newer[older] = newer;
  }
}

/** Leading blocks of a prompt that fit into a cache of `capacity` tokens; at least one. */
function blocksWithin(prefix: PrefixBlocks, promptTokens: number, capacity: number): number {
  if (tokensOfBlocks(prefix, prefix.count, promptTokens) <= capacity) return prefix.count;
  let blocks = prefix.count - 1;
  while (blocks > 1 && tokensOfBlocks(prefix, blocks, promptTokens) > capacity) blocks--;
  return blocks;
}
