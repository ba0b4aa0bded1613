import type { PrefixBlocks } from "./prefix-blocks.ts";

/** What the scheduler needs to know of one client request. Prompt text never gets this far. */
export interface InferenceRequest {
  /** Unique per request; also the stream's id in the fleet's bookkeeping. */
  readonly id: string;
  /** The model name the client asked for: a base model or an adapter. */
  readonly model: string;
  readonly arrivedAtMs: number;
  /** A client conversation, null when the request names none. */
  readonly sessionKey: string | null;
  /** Prompt length in tokens: exact for token-id prompts, else estimated from bytes. */
  readonly promptTokens: number;
  readonly promptTokensExact: boolean;
  /** The client's limit on output tokens, null when it set none. */
  readonly maxOutputTokens: number | null;
  readonly isStreaming: boolean;
  /** Chained hashes of the leading full blocks of the prompt as the engine will see it. */
  readonly prefix: PrefixBlocks;
}
