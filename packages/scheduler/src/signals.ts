import type { ReplicaId } from "./replica.ts";

/** Where a session is bound. A record with a margin and a dwell time, not a constraint. */
export interface SessionPin {
  readonly replica: ReplicaId;
  /** When the session was bound to this replica. */
  readonly sinceMs: number;
  readonly lastUsedAtMs: number;
  /** Times the session has changed its replica. */
  readonly moves: number;
  /** Tokens the session has made replicas process: uncached prompt and output. */
  readonly tokenCost: number;
}

/** What an adapter request would meet on one replica. */
export interface AdapterOutlook {
  /** 0 when the adapter is resident. */
  readonly loadMs: number;
  /** Expected wait for a slot while every slot holds an active adapter. */
  readonly slotWaitMs: number;
  /** Price of what loading it would push out, spread over those who will miss it. */
  readonly evictionMs: number;
}

/** Facts looked up for one request before it is decided; arrays are indexed by `ReplicaView.slot`. */
export interface RequestSignals {
  /** Leading prompt tokens each replica was sent before and should still hold, before calibration. */
  readonly matchedTokens: ArrayLike<number>;
  /**
   * Leading prompt tokens in blocks that open requests use on each replica: they take no more room. Looked up only where
   * room may be short; elsewhere 0 or missing.
   */
  readonly usedTokens: ArrayLike<number>;
  /** The session's pin, null when it has none or the request names no session. */
  readonly pin: SessionPin | null;
  /** Null for base-model requests. */
  readonly adapter: AdapterLookup | null;
}

export interface AdapterLookup {
  readonly name: string;
  /** By slot; undefined for replicas that do not serve its base model. */
  readonly outlook: readonly (AdapterOutlook | undefined)[];
}

/** Nothing known: every replica is cold, no pin, a base model. */
export const NO_SIGNALS: RequestSignals = { matchedTokens: [], usedTokens: [], pin: null, adapter: null };

/** Leading prompt tokens that a replica was sent before, as its index entry says: not calibrated by replies. */
export function matchedTokensOn(signals: RequestSignals, slot: number): number {
  return signals.matchedTokens[slot] ?? 0;
}
