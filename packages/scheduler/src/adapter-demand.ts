import { BoundedMap } from "./bounded-map.ts";

const HALF_LIFE_MS = 60_000;
const MOST_ADAPTERS = 10_000;
/** Copies of an adapter per share of the load it brings. */
const COPIES_PER_SHARE = 3;

/** How much of the traffic each adapter brings, decayed over a minute, and how many copies that is worth. */
export class AdapterDemand {
  readonly #counts = new BoundedMap<{ readonly count: number; readonly atMs: number }>(MOST_ADAPTERS);
  #total = 0;
  #totalAtMs = 0;

  /** Counts a request; requests for base models count towards the total alone. */
  observe(adapter: string | null, nowMs: number): void {
    this.#total = decayed(this.#total, this.#totalAtMs, nowMs) + 1;
    this.#totalAtMs = nowMs;
    if (adapter === null) return;
    const known = this.#counts.get(adapter);
    const count = known === undefined ? 1 : decayed(known.count, known.atMs, nowMs) + 1;
    this.#counts.set(adapter, { count, atMs: nowMs });
  }

  /** Replicas out of `replicas` that should hold the adapter; at least one. */
  copiesWanted(adapter: string, replicas: number, nowMs: number): number {
    const known = this.#counts.get(adapter);
    if (known === undefined || this.#total === 0) return 1;
    const share = decayed(known.count, known.atMs, nowMs) / decayed(this.#total, this.#totalAtMs, nowMs);
    return Math.max(1, Math.ceil(COPIES_PER_SHARE * replicas * share));
  }
}

function decayed(count: number, atMs: number, nowMs: number): number {
  return count * 2 ** (-Math.max(0, nowMs - atMs) / HALF_LIFE_MS);
}
