import type { ForeignLoad } from "./fleet-snapshot.ts";

/** What another router has on a replica, as it says itself. */
export interface PeerLoad {
  /** Time until everything it has prefilling there is through. */
  readonly waitMs: number;
  readonly decoding: number;
  readonly queued: number;
  /** Prompt and output tokens of its decoding requests. */
  readonly contextTokens: number;
}

/** A report older than this is as good as none: routers speak several times a second. */
const LIFE_MS = 2000;

/** The latest report of every other router on one replica. */
export class PeerLoads {
  readonly #reports = new Map<string, { readonly load: PeerLoad; readonly atMs: number }>();
  #sum: ForeignLoad | null = null;
  #summedAtMs = Number.NEGATIVE_INFINITY;

  /** Values that are not finite and positive count as 0: a peer cannot take load away. */
  observe(routerId: string, load: PeerLoad, nowMs: number): void {
    const { waitMs, decoding, queued, contextTokens } = load;
    const clean = {
      waitMs: positive(waitMs),
      decoding: positive(decoding),
      queued: positive(queued),
      contextTokens: positive(contextTokens),
    };
    this.#reports.set(routerId, { load: clean, atMs: nowMs });
    this.#summedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** All peers together, null when none has spoken lately. */
  at(nowMs: number): ForeignLoad | null {
    if (this.#reports.size === 0) return null;
    if (nowMs === this.#summedAtMs) return this.#sum;
    this.#summedAtMs = nowMs;
    this.#sum = this.#add(nowMs);
    return this.#sum;
  }

  #add(nowMs: number): ForeignLoad | null {
    let observedAtMs = Number.NEGATIVE_INFINITY;
    const sum = { waitMs: 0, running: 0, queued: 0, contextTokens: 0 };
    for (const [routerId, { load, atMs }] of this.#reports) {
      if (nowMs - atMs > LIFE_MS) {
        this.#reports.delete(routerId);
        continue;
      }
      sum.waitMs += load.waitMs;
      sum.running += load.decoding;
      sum.queued += load.queued;
      sum.contextTokens += load.contextTokens;
      observedAtMs = Math.max(observedAtMs, atMs);
    }
    return this.#reports.size === 0 ? null : { ...sum, observedAtMs };
  }
}

function positive(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}
