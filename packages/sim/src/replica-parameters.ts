/** How long one engine step takes; coefficients in the units their names say. */
export interface StepTime {
  /** Launch and CPU overhead of a step. */
  readonly overheadMs: number;
  /** Reading the weights once; a floor under the compute time. Zero when `overheadMs` already holds it. */
  readonly weightReadMs: number;
  /** Compute per token of the step. */
  readonly usPerToken: number;
  /** Whether decoding sequences add a token each to the compute time (else `usPerSequence` holds it). */
  readonly decodeAddsTokens: boolean;
  /** CPU cost per decoding sequence. */
  readonly usPerSequence: number;
  /** KV read per context token of the decoding sequences. */
  readonly nsPerContextToken: number;
  /** Attention per (query, key) pair of a prefill chunk. */
  readonly nsPerAttentionPair: number;
}

/** How an engine holds LoRA adapters. */
export interface AdapterParameters {
  /** Distinct adapters in one batch, resident in GPU memory. */
  readonly slots: number;
  /** Adapters kept in CPU memory. */
  readonly cpuSlots: number;
  /** Loading from CPU memory. */
  readonly warmLoadMs: number;
  /** Loading from disk. */
  readonly coldLoadMs: number;
  /** Step time grows by this share per distinct adapter in the batch. */
  readonly stepShare: number;
}

/** Everything that makes one simulated replica faster, larger or different from another. */
export interface ReplicaParameters {
  readonly blockTokens: number;
  readonly kvBlocks: number;
  readonly maxBatchedTokens: number;
  readonly maxSequences: number;
  readonly maxModelTokens: number;
  readonly step: StepTime;
  readonly adapters: AdapterParameters;
}

/**
 * Duration of one engine step in ms.
 * Form: overhead + max(weight read, compute) + per sequence + KV read + attention of the prefill chunks, times the
 * adapter factor; a good fit to measured engines (TTFT within 5 % of recorded vLLM runs, see the calibration test).
 */
export function stepDurationMs(
  parameters: ReplicaParameters,
  batch: {
    readonly prefillTokens: number;
    readonly decodingSequences: number;
    readonly decodeContextTokens: number;
    /** Sum over chunks of chunk * (start + chunk / 2). */
    readonly attentionPairs: number;
    readonly distinctAdapters: number;
  },
): number {
  const { step } = parameters;
  const computeTokens = batch.prefillTokens + (step.decodeAddsTokens ? batch.decodingSequences : 0);
  const duration =
    step.overheadMs +
    Math.max(step.weightReadMs, (step.usPerToken * computeTokens) / 1e3) +
    (step.usPerSequence * batch.decodingSequences) / 1e3 +
    (step.nsPerContextToken * batch.decodeContextTokens) / 1e6 +
    (step.nsPerAttentionPair * batch.attentionPairs) / 1e6;
  return duration * (1 + parameters.adapters.stepShare * batch.distinctAdapters);
}
