const KEEP = 0.99;
/** English text: about four characters to a token. */
const PRIOR_TOKENS_PER_UNIT = 0.25;
const PRIOR_UNITS = 4000;

/** Tokens per unit of prompt text, learned from the prompt lengths that engines report. */
export class PromptLength {
  #tokens = 0;
  #units = 0;

  observe(units: number, tokens: number): void {
    if (!(units > 0) || !(tokens > 0)) return;
    this.#units = KEEP * this.#units + units;
    this.#tokens = KEEP * this.#tokens + tokens;
  }

  /** @param units length of a prompt in UTF-16 code units. @returns at least one token. */
  estimateTokens(units: number): number {
    const perUnit = (this.#tokens + PRIOR_UNITS * PRIOR_TOKENS_PER_UNIT) / (this.#units + PRIOR_UNITS);
    return Math.max(1, Math.round(units * perUnit));
  }
}
