import type { PrefillingStream } from "./fleet-snapshot.ts";
import type { PrefillSample } from "./prefill-sampler.ts";
import type { PrefixBlocks } from "./prefix-blocks.ts";

/** What is kept of one attempt at one replica, from dispatch until it ends. */
export interface StreamRecord extends PrefillingStream {
  readonly id: string;
  readonly model: string;
  readonly sessionKey: string | null;
  /** Prompt tokens outside full prefix blocks. */
  readonly looseTokens: number;
  /** Length of the prompt in the units of its prefix blocks. */
  readonly promptUnits: number;
  /** Whether those units are tokens. */
  readonly isTokenPrompt: boolean;
  /** Prompt tokens matched in the prefix index, before calibration. */
  readonly matchedTokens: number;
  /** Whether it was sent to its home with no cache known there. */
  readonly isHomeGuess: boolean;
  readonly dispatchedAtMs: number;
  /** When a request that does not stream is taken to have its first token. */
  readonly assumedFirstTokenAtMs: number;
  /** Whether nothing of ours was prefilling on the replica when it was dispatched. */
  readonly metEmptyQueue: boolean;
  /** Whether others had work queued there at dispatch: their time must not pass for the replica's slowness. */
  readonly metForeignQueue: boolean;
  phase: "prefilling" | "decoding" | "ended";
  /** Index in the replica's decoding arrays, -1 for a stream that is not in them. */
  decodingIndex: number;
  firstTokenAtMs: number | null;
  lastTokenAtMs: number;
  /** Output tokens seen. */
  outputTokens: number;
  hasUsage: boolean;
  /** Prompt tokens the engine found in its cache, null until it says. */
  reportedCachedTokens: number | null;
  /** The sample of prefill speed it is part of, until that is complete. */
  sample: PrefillSample | null;
  /** Its prefix, for as long as it is open. */
  prefix: PrefixBlocks;
  /** Output tokens from the engine's usage, null until it says. */
  reportedOutputTokens: number | null;
}
