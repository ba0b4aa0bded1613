/** How long answers are when the client lets the engine stop by itself. */
export interface OutputLength {
  readonly medianTokens: number;
  /** Spread of the logarithm; 0 makes every answer the median. */
  readonly sigma: number;
  readonly minTokens: number;
  readonly maxTokens: number;
}

/** About what chat traffic shows. */
export const CHAT_OUTPUT_LENGTH: OutputLength = {
  medianTokens: 180,
  sigma: 0.8,
  minTokens: 16,
  maxTokens: 4096,
};

/** Draws a log-normal length from two uniform numbers in [0, 1) (Box-Muller). */
export function drawOutputTokens(length: OutputLength, uniformA: number, uniformB: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - uniformA)) * Math.cos(2 * Math.PI * uniformB);
  const tokens = Math.round(length.medianTokens * Math.exp(length.sigma * normal));
  return Math.min(length.maxTokens, Math.max(length.minTokens, tokens));
}
