/** What the engine model must know of a request. */
export interface ModelRequest {
  readonly id: string;
  readonly promptTokens: number;
  /** Tokens it will produce, at least 1. */
  readonly outputTokens: number;
  /**
   * Chained hashes of the prompt's full blocks, non-negative. May be shorter than the prompt: blocks without a hash
   * are private to the request. The adapter is part of the hash, as engines key on it.
   */
  readonly blockHashes: ArrayLike<number> & Iterable<number>;
  readonly adapter: string | null;
  /** Hash of block `index` once output has filled it; absent: output blocks are private. */
  readonly outputBlockHash?: (index: number) => number;
}

export type SequenceState = "waiting" | "running" | "finished" | "aborted";

/** One request inside the engine. */
export class Sequence {
  readonly request: ModelRequest;
  readonly enqueuedAtMs: number;
  state: SequenceState = "waiting";
  /** Tokens whose KV is in the cache. */
  computedTokens = 0;
  /** Tokens produced so far. */
  outputTokens = 0;
  /** Prompt tokens served from the cache when first scheduled. */
  cachedTokens = 0;
  scheduledAtMs: number | null = null;
  firstTokenAtMs: number | null = null;
  lastTokenAtMs: number | null = null;
  blocks: number[] = [];
  /** Leading blocks that already have their hash. */
  namedBlocks = 0;
  readonly #privateHashes: (number | undefined)[] = [];

  constructor(request: ModelRequest, enqueuedAtMs: number) {
    this.request = request;
    this.enqueuedAtMs = enqueuedAtMs;
  }

  /** Tokens the engine knows: the prompt and what it has produced. */
  get knownTokens(): number {
    return this.request.promptTokens + this.outputTokens;
  }

  /** Hash of block `index` if it is already determined, else null. */
  knownHash(index: number): number | null {
    const { blockHashes, outputBlockHash } = this.request;
    if (index < blockHashes.length) return blockHashes[index] ?? null;
    if (outputBlockHash !== undefined) return outputBlockHash(index);
    return this.#privateHashes[index] ?? null;
  }

  /** Hash of block `index`; a private one is drawn from `fresh` the first time. */
  hashOf(index: number, fresh: () => number): number {
    const known = this.knownHash(index);
    if (known !== null) return known;
    const hash = fresh();
    this.#privateHashes[index] = hash;
    return hash;
  }
}
