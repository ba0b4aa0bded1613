import type { ReplicaId } from "./replica.ts";
import type { SessionPin } from "./signals.ts";

/** Longest time any policy may keep an unused pin; a model's own limit is applied when it decides. */
const LONGEST_TTL_MS = 7 * 86_400_000;
/** Expired pins looked for at a time. */
const SWEEP = 8;

/** A pin with the session it binds. */
export interface PinRecord extends SessionPin {
  readonly model: string;
  readonly sessionKey: string;
  tokenCost: number;
}

/**
 * Where each session was last sent. Records, not constraints: strategies decide what a pin is worth. Bounded: the
 * session unused for longest goes first.
 */
export class SessionPins {
  readonly #limit: number;
  /** In order of last use, longest ago first. */
  readonly #pins = new Map<string, PinRecord>();
  readonly #ttlMs: number;

  /**
   * @param limit most sessions remembered.
   * @param ttlMs how long a pin outlives its session's last request.
   */
  constructor(limit: number, ttlMs = LONGEST_TTL_MS) {
    this.#limit = Math.max(1, limit);
    this.#ttlMs = ttlMs;
  }

  get size(): number {
    return this.#pins.size;
  }

  /** The session's pin, null when it has none or it has expired. */
  find(model: string, sessionKey: string, nowMs: number): SessionPin | null {
    const pin = this.#pins.get(keyOf(model, sessionKey));
    if (pin === undefined || nowMs - pin.lastUsedAtMs > this.#ttlMs) return null;
    return pin;
  }

  /** Binds the session to the replica its request was sent to; a change of replica counts as a move. */
  bind(model: string, sessionKey: string, replica: ReplicaId, nowMs: number): void {
    const earlier = this.find(model, sessionKey, nowMs);
    const stays = earlier?.replica === replica;
    const key = keyOf(model, sessionKey);
    this.#pins.delete(key);
    this.#pins.set(key, {
      model,
      sessionKey,
      replica,
      sinceMs: stays ? earlier.sinceMs : nowMs,
      lastUsedAtMs: nowMs,
      moves: earlier === null ? 0 : earlier.moves + (stays ? 0 : 1),
      tokenCost: earlier?.tokenCost ?? 0,
    });
    this.#sweep(nowMs);
  }

  /** Adds tokens that the session made its replica process. */
  charge(model: string, sessionKey: string, tokens: number): void {
    const pin = this.#pins.get(keyOf(model, sessionKey));
    if (pin !== undefined && tokens > 0) pin.tokenCost += tokens;
  }

  /** Forgets one session. */
  unpin(model: string, sessionKey: string): void {
    this.#pins.delete(keyOf(model, sessionKey));
  }

  /** Every pin, longest unused first. */
  all(): IterableIterator<PinRecord> {
    return this.#pins.values();
  }

  #sweep(nowMs: number): void {
    let looked = 0;
    for (const [key, pin] of this.#pins) {
      const isExpired = nowMs - pin.lastUsedAtMs > this.#ttlMs;
      if (!isExpired && this.#pins.size <= this.#limit) return;
      this.#pins.delete(key);
      if (++looked >= SWEEP) return;
    }
  }
}

/** Session keys are the clients' own: those of two models have nothing to do with each other. */
function keyOf(model: string, sessionKey: string): string {
  return `${model}\n${sessionKey}`;
}
