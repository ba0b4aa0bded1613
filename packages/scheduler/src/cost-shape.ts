/**
 * How an engine's step time depends on what is in the step. Only the shape has to be right: each replica's speed
 * against it is learned (see `speed-factor.ts`).
 *
 * `step = launch + max(weights, perToken·(prefill + decodes)) + perSequence·decodes + perContext·context + attention·pairs`
 */
export interface CostShape {
  /** Launch and CPU time of a step. */
  readonly launchMs: number;
  /** Reading the weights once: the least a step takes beside its launch. */
  readonly weightsMs: number;
  /** Compute per token of a step, microseconds. */
  readonly perTokenUs: number;
  /** CPU time per decoding sequence, microseconds. */
  readonly perSequenceUs: number;
  /** Reading one token of context from the KV cache, nanoseconds. */
  readonly perContextTokenNs: number;
  /** Attention per pair of query and key, nanoseconds. */
  readonly perPairNs: number;
  /** Most prefill tokens in one step. */
  readonly chunkTokens: number;
}

/**
 * An 8 B model in bf16 on one H100 under vLLM, from kernel profiles. A wrong scale costs nothing: every replica is off
 * alike, and learned within a minute.
 */
export const DEFAULT_SHAPE: CostShape = {
  launchMs: 1.5,
  weightsMs: 5.1,
  perTokenUs: 17.2,
  perSequenceUs: 15,
  perContextTokenNs: 45,
  perPairNs: 0.9,
  chunkTokens: 8192,
};

/** KV capacity assumed of an engine that does not report its own: an 8 B model on one 80 GB GPU. */
export const DEFAULT_KV_TOKENS = 458_000;

/** Prefill of `uncached` tokens after `cached` ones on the shape, in milliseconds: compute and attention. */
export function prefillWorkMs(shape: CostShape, uncached: number, cached: number): number {
  return (shape.perTokenUs * uncached) / 1e3 + (shape.perPairNs * uncached * (cached + uncached / 2)) / 1e6;
}

/** What the chunks of a prefill cost beside its own work: launches, and the decodes that share its steps. */
export function chunkOverheadMs(
  shape: CostShape,
  uncached: number,
  decoding: number,
  contextTokens: number,
): number {
  const chunks = Math.max(1, Math.ceil(uncached / shape.chunkTokens));
  return (
    chunks *
    (shape.launchMs +
      (shape.perSequenceUs * decoding) / 1e3 +
      (shape.perContextTokenNs * contextTokens) / 1e6)
  );
}

/** One decode step of `sequences` with `contextTokens` between them, in milliseconds. */
export function stepMs(shape: CostShape, sequences: number, contextTokens: number): number {
  return (
    shape.launchMs +
    Math.max(shape.weightsMs, (shape.perTokenUs * sequences) / 1e3) +
    (shape.perSequenceUs * sequences) / 1e3 +
    (shape.perContextTokenNs * contextTokens) / 1e6
  );
}
