import { mix32, textHash } from "./hash.ts";

/** Length unit of a text block: bytes as sent, or UTF-16 code units. 256 of them are about 64 tokens of English. */
const TEXT_BLOCK_UNITS = 256;
/** Length unit of a token-id block: tokens. */
const TOKEN_BLOCK_UNITS = 64;
/** Blocks double in length after every run of this many, so that very long prompts stay cheap to hash and to index. */
const BLOCKS_PER_SIZE = 512;

const LANE_A = 0x9e3779b1;
const LANE_B = 0x85ebca6b;

/**
 * Chained hashes of the leading full blocks of a prompt: two 32-bit lanes per block, each covering everything before
 * it. Equal pairs therefore mean equal prefixes (64 bits; a collision only costs a wrong cache guess).
 */
export interface PrefixBlocks {
  /** `lo, hi` of block 0, then of block 1, … */
  readonly hashes: Uint32Array;
  readonly count: number;
  /** Length of the whole prompt, in bytes and UTF-16 code units or, for token-id prompts, in tokens. */
  readonly totalUnits: number;
  /** Units in the first block; see `unitsOfBlocks` for the others. */
  readonly blockUnits: number;
  /** Whether every block has `blockUnits` units (prompts given as block ids) or blocks grow with depth. */
  readonly isUniform: boolean;
}

/** Text as the client sent it, JSON escapes and all: `bytes[start]` to `bytes[end - 1]`. */
export interface PromptBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** A piece of a prompt in the order the engine sees it: text, text as sent, token ids, or the digest of an image or file. */
export type PromptPart = string | PromptBytes | ArrayLike<number>;

/** What keeps two equal prompts apart in an engine's cache. */
export interface PrefixScope {
  /** Adapter name: engines key their blocks by it. */
  readonly adapter: string | null;
  /** The client's `cache_salt`, when it sends one. */
  readonly cacheSalt: string | null;
}

export const NO_PREFIX: PrefixBlocks = {
  hashes: new Uint32Array(0),
  count: 0,
  totalUnits: 0,
  blockUnits: TEXT_BLOCK_UNITS,
  isUniform: false,
};

/**
 * Hashes a prompt into prefix blocks in one pass over its parts.
 * Token ids and text never match each other: a prompt counts as token ids when its first part is neither text nor bytes.
 * Nor do text and bytes: give a prompt the same way each time.
 */
export function hashPrompt(parts: readonly PromptPart[], scope: PrefixScope): PrefixBlocks {
  const first = parts[0];
  const isText = first === undefined || typeof first === "string" || isPromptBytes(first);
  const hasher = new PrefixHasher(scope, isText ? TEXT_BLOCK_UNITS : TOKEN_BLOCK_UNITS);
  for (const part of parts) {
    if (typeof part === "string") hasher.addText(part);
    else if (isPromptBytes(part)) hasher.addBytes(part);
    else hasher.addTokens(part);
  }
  return hasher.finish();
}

/** Whether a part is text as sent. */
export function isPromptBytes(part: PromptPart): part is PromptBytes {
  return typeof part === "object" && "bytes" in part;
}

/**
 * Prefix blocks of a trace whose prompts are given as ids of equal blocks (Mooncake: 512 tokens each).
 * @param promptTokens length of the prompt; a last, partial block is not shareable and is left out.
 */
export function prefixOfBlockIds(
  ids: ArrayLike<number>,
  blockTokens: number,
  promptTokens: number,
  scope: PrefixScope,
): PrefixBlocks {
  const count = Math.min(ids.length, Math.floor(promptTokens / blockTokens));
  const hashes = new Uint32Array(count * 2);
  let a = seedLane(LANE_A, scope);
  let b = seedLane(LANE_B, scope);
  for (let i = 0; i < count; i++) {
    const id = ids[i] ?? 0;
    a = Math.imul(a ^ (id | 0), LANE_A);
    b = Math.imul(b ^ Math.floor(id / 4294967296) ^ a, LANE_B);
    a ^= b >>> 15;
    const lo = mix32(a ^ (b >>> 7));
    hashes[2 * i] = lo;
    hashes[2 * i + 1] = mix32(b + Math.imul(lo, LANE_A));
  }
  return { hashes, count, totalUnits: promptTokens, blockUnits: blockTokens, isUniform: true };
}

/** Units covered by the first `blocks` blocks. */
export function unitsOfBlocks(prefix: PrefixBlocks, blocks: number): number {
  if (prefix.isUniform) return blocks * prefix.blockUnits;
  let left = blocks;
  let size = prefix.blockUnits;
  let units = 0;
  while (left > BLOCKS_PER_SIZE) {
    units += BLOCKS_PER_SIZE * size;
    left -= BLOCKS_PER_SIZE;
    size *= 2;
  }
  return units + left * size;
}

/**
 * Prompt tokens covered by the first `blocks` blocks, by their share of the prompt's length.
 * @param promptTokens the prompt's length in tokens, exact or estimated.
 */
export function tokensOfBlocks(prefix: PrefixBlocks, blocks: number, promptTokens: number): number {
  if (blocks === 0 || prefix.totalUnits === 0) return 0;
  return Math.min(promptTokens, (promptTokens * unitsOfBlocks(prefix, blocks)) / prefix.totalUnits);
}

function seedLane(lane: number, scope: PrefixScope): number {
  const adapter = scope.adapter === null ? 0 : textHash(scope.adapter, lane);
  const salt = scope.cacheSalt === null ? 0 : textHash(scope.cacheSalt, lane ^ 0x5bd1e995);
  return mix32(lane ^ adapter ^ Math.imul(salt, 0x27d4eb2f));
}

/** Incremental chained hashing: feed parts in order, then `finish`. */
export class PrefixHasher {
  readonly #firstBlockUnits: number;
  #a: number;
  #b: number;
  #blockUnits: number;
  #room: number;
  #count = 0;
  #totalUnits = 0;
  #hashes = new Uint32Array(128);

  constructor(scope: PrefixScope, blockUnits: number) {
    this.#firstBlockUnits = blockUnits;
    this.#blockUnits = blockUnits;
    this.#room = blockUnits;
    this.#a = seedLane(LANE_A, scope);
    this.#b = seedLane(LANE_B, scope);
  }

  addText(text: string): void {
    const length = text.length;
    this.#totalUnits += length;
    let at = 0;
    while (at < length) {
      const take = Math.min(this.#room, length - at);
      this.#absorbText(text, at, at + take);
      at += take;
      this.#consumed(take);
    }
  }

  addBytes({ bytes, start, end }: PromptBytes): void {
    this.#totalUnits += end - start;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = start;
    while (at < end) {
      const take = Math.min(this.#room, end - at);
      this.#absorbBytes(view, at, at + take);
      at += take;
      this.#consumed(take);
    }
  }

  addTokens(tokens: ArrayLike<number>): void {
    const length = tokens.length;
    this.#totalUnits += length;
    let at = 0;
    while (at < length) {
      const take = Math.min(this.#room, length - at);
      let a = this.#a;
      let b = this.#b;
      for (let i = at; i < at + take; i++) {
        a = Math.imul(a ^ (tokens[i] ?? 0), LANE_A);
        b = Math.imul(b ^ a, LANE_B);
        a ^= b >>> 15;
      }
      this.#a = a;
      this.#b = b;
      at += take;
      this.#consumed(take);
    }
  }

  finish(): PrefixBlocks {
    return {
      hashes: this.#hashes.slice(0, this.#count * 2),
      count: this.#count,
      totalUnits: this.#totalUnits,
      blockUnits: this.#firstBlockUnits,
      isUniform: false,
    };
  }

  /** Four code units a step, two to each lane; the lanes feed each other, so that every unit reaches all 64 bits. */
  #absorbText(text: string, from: number, to: number): void {
    let a = this.#a;
    let b = this.#b;
    let i = from;
    for (; i + 4 <= to; i += 4) {
      a = Math.imul(a ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), LANE_A);
      b = Math.imul(b ^ a ^ (text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16)), LANE_B);
      a ^= b >>> 15;
    }
    for (; i < to; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), LANE_A);
      b = Math.imul(b ^ a, LANE_B);
      a ^= b >>> 15;
    }
    this.#a = a;
    this.#b = b;
  }

  /** Sixteen bytes a step: within it the lanes run side by side and feed each other once, which halves the wait for them. */
  #absorbBytes(view: DataView, from: number, to: number): void {
    let a = this.#a;
    let b = this.#b;
    let i = from;
    for (; i + 16 <= to; i += 16) {
      const a1 = Math.imul(a ^ view.getInt32(i, true), LANE_A);
      const b1 = Math.imul(b ^ view.getInt32(i + 4, true), LANE_B);
      a = Math.imul(a1 ^ view.getInt32(i + 8, true) ^ (b1 >>> 15), LANE_A);
      b = Math.imul(b1 ^ view.getInt32(i + 12, true) ^ (a1 >>> 15), LANE_B);
    }
    for (; i < to; i++) {
      a = Math.imul(a ^ view.getUint8(i), LANE_A);
      b = Math.imul(b ^ a, LANE_B);
      a ^= b >>> 15;
    }
    this.#a = a;
    this.#b = b;
  }

  #consumed(units: number): void {
    this.#room -= units;
    if (this.#room > 0) return;
    if (this.#hashes.length < 2 * this.#count + 2) {
      const grown = new Uint32Array(this.#hashes.length * 2);
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    const lo = mix32(this.#a ^ (this.#b >>> 7));
    this.#hashes[2 * this.#count] = lo;
    this.#hashes[2 * this.#count + 1] = mix32(this.#b + Math.imul(lo, LANE_A));
    this.#count++;
    if (this.#count % BLOCKS_PER_SIZE === 0) this.#blockUnits *= 2;
    this.#room = this.#blockUnits;
  }
}
