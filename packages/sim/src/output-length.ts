import { seededRng } from "@evenkeel/scheduler/rng";
import { drawLogNormal } from "./random-draws.ts";

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

/** Draws a log-normal length from a fingerprint: equal prompts get answers of equal length. */
export function outputTokensOf(length: OutputLength, fingerprint: number): number {
  const tokens = Math.round(drawLogNormal(seededRng(fingerprint), length.medianTokens, length.sigma));
  return Math.min(length.maxTokens, Math.max(length.minTokens, tokens));
}
