const KEEP = 0.99;
/** English text: about four characters to a token. */
const PRIOR_TOKENS_PER_UNIT = 0.25;
const PRIOR_UNITS = 4000;
const MOST_MODELS = 10_000;

/** Tokens per unit of prompt text, learned per model from the prompt lengths that engines report. */
export class PromptLengths {
  readonly #sums = new Map<string, { tokens: number; units: number }>();

  /** @param units length of the prompt in UTF-16 code units. @param tokens length that the engine reported. */
  observe(model: string, units: number, tokens: number): void {
    if (!(units > 0) || !(tokens > 0)) return;
    let sums = this.#sums.get(model);
    if (sums === undefined) {
      if (this.#sums.size >= MOST_MODELS) return;
      sums = { tokens: 0, units: 0 };
      this.#sums.set(model, sums);
    }
    sums.units = KEEP * sums.units + units;
    sums.tokens = KEEP * sums.tokens + tokens;
  }

  /** @returns at least one token. */
  estimateTokens(model: string, units: number): number {
    const sums = this.#sums.get(model);
    const perUnit =
      ((sums?.tokens ?? 0) + PRIOR_UNITS * PRIOR_TOKENS_PER_UNIT) / ((sums?.units ?? 0) + PRIOR_UNITS);
    return Math.max(1, Math.round(units * perUnit));
  }
}
