import { BoundedMap } from "./bounded-map.ts";
import type { ReplicaView } from "./fleet-snapshot.ts";
import { type PrefixBlocks, tokensOfBlocks } from "./prefix-blocks.ts";
import { rendezvousOrder } from "./rendezvous.ts";
import type { ReplicaId } from "./replica.ts";
import type { InferenceRequest } from "./request.ts";

/** Depths at which a prefix may be told from others, in tokens. */
const DEPTHS = [1024, 2048, 4096, 8192, 16_384, 32_768];
const HALF_LIFE_MS = 60_000;
const MOST_PREFIXES = 50_000;
/** Share of the prompt believed to be cached at home before any reply. */
const FIRST_SHARE = 0.3;
const SHARE_RATE = 0.03;
/** With more than this matched in its own index a router needs no guess. */
export const KNOWN_TOKENS = 512;

interface Count {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Where other routers probably sent requests with the same prefix. Routers that see each a part of the traffic agree
 * without a word when each takes, for a prompt it knows no cache for, the replica that a hash of its session or prefix
 * names. How much of such prompts is cached there is learned: with a router alone it learns that nothing is.
 */
export class HomeRule {
  readonly #counts = new BoundedMap<Count>(MOST_PREFIXES);
  #total: Count = { count: 0, atMs: 0 };
  #cachedShare = FIRST_SHARE;

  /** Share of a prompt expected to be cached at home, 0..1. */
  get cachedShare(): number {
    return this.#cachedShare;
  }

  /** Counts a request's prefix at every depth. */
  observe(prefix: PrefixBlocks, promptTokens: number, nowMs: number): void {
    this.#total = { count: decayed(this.#total, nowMs) + 1, atMs: nowMs };
    for (const depth of DEPTHS) {
      const key = keyAt(prefix, promptTokens, depth);
      if (key === null) return;
      const known = this.#counts.get(key);
      this.#counts.set(key, { count: known === undefined ? 1 : decayed(known, nowMs) + 1, atMs: nowMs });
    }
  }

  /** What a reply said of a request that was sent home on a guess. */
  learn(cachedTokens: number, promptTokens: number): void {
    const share = Math.min(1, Math.max(0, cachedTokens / Math.max(1, promptTokens)));
    this.#cachedShare += SHARE_RATE * (share - this.#cachedShare);
  }

  /** The request's home among the replicas, null when it has neither a session nor a full block. */
  homeOf(
    request: InferenceRequest,
    promptTokens: number,
    views: readonly ReplicaView[],
    nowMs: number,
  ): ReplicaId | null {
    const key = request.sessionKey ?? this.#prefixKey(request.prefix, promptTokens, views.length, nowMs);
    if (key === null) return null;
    for (const [id, place] of rendezvousOrder(key, views)) if (place === 0) return id;
    return null;
  }

  /** The shallowest depth at which the prefix brings less than one replica's share of the traffic. */
  #prefixKey(prefix: PrefixBlocks, promptTokens: number, replicas: number, nowMs: number): string | null {
    let key = prefix.count === 0 ? null : hashKey(prefix, prefix.count);
    for (const depth of DEPTHS) {
      const deeper = keyAt(prefix, promptTokens, depth);
      if (deeper === null) return key;
      key = deeper;
      const known = this.#counts.get(deeper);
      const share =
        known === undefined ? 0 : decayed(known, nowMs) / Math.max(1, decayed(this.#total, nowMs));
      if (share < 1 / replicas) return key;
    }
    return key;
  }
}

function keyAt(prefix: PrefixBlocks, promptTokens: number, depth: number): string | null {
  if (tokensOfBlocks(prefix, prefix.count, promptTokens) < depth) return null;
  let blocks = Math.max(1, Math.floor((depth * prefix.totalUnits) / (promptTokens * prefix.blockUnits)));
  blocks = Math.min(blocks, prefix.count);
  while (blocks > 1 && tokensOfBlocks(prefix, blocks - 1, promptTokens) >= depth) blocks--;
  return hashKey(prefix, blocks);
}

function hashKey(prefix: PrefixBlocks, blocks: number): string {
  return `${prefix.hashes[2 * blocks - 2]}/${prefix.hashes[2 * blocks - 1]}`;
}

function decayed({ count, atMs }: Count, nowMs: number): number {
  return count * 2 ** (-Math.max(0, nowMs - atMs) / HALF_LIFE_MS);
}
