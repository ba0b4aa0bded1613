const BUCKET_TOKENS = 8;
const BUCKETS = 512;
const PRIOR_MEAN_TOKENS = 200;
const PRIOR_WEIGHT = 10;
/** Weight a completion keeps with each later one: about the last 500 count. */
const KEEP = 0.998;
const MEAN_RATE = 0.01;

/** The learned distribution of output lengths of one segment: P(length ≥ x), over a geometric prior. */
export interface OutputLengthView {
  /** Probability that an answer has at least `tokens` tokens. */
  survival(tokens: number): number;
  /** Mean output length in tokens. */
  readonly meanTokens: number;
}

export class OutputLengths implements OutputLengthView {
  readonly #counts = new Float64Array(BUCKETS);
  readonly #survival = new Float64Array(BUCKETS + 1);
  #total = 0;
  /** Weight of the next completion. Growing it ages all earlier ones without touching them. */
  #weight = 1;
  #mean = PRIOR_MEAN_TOKENS;
  #isDirty = true;

  get meanTokens(): number {
    return this.#mean;
  }

  /** Learns from a completed answer. Answers that a client broke off say nothing about length and are not given here. */
  observe(tokens: number): void {
    if (!(tokens >= 1)) return;
    const bucket = Math.min(BUCKETS - 1, Math.floor((tokens - 1) / BUCKET_TOKENS));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + this.#weight;
    this.#total += this.#weight;
    this.#weight /= KEEP;
    if (this.#weight > 1e9) this.#rescale();
    this.#mean += MEAN_RATE * (Math.min(tokens, 1e6) - this.#mean);
    this.#isDirty = true;
  }

  survival(tokens: number): number {
    if (this.#isDirty) this.#rebuild();
    if (tokens <= 1) return 1;
    const at = (tokens - 1) / BUCKET_TOKENS;
    if (at >= BUCKETS) return 0;
    const bucket = at | 0;
    // The table has one entry more than there are buckets.
    const here = this.#survival[bucket] as number;
    return here + ((this.#survival[bucket + 1] as number) - here) * (at - bucket);
  }

  #rebuild(): void {
    const prior = PRIOR_WEIGHT * this.#weight;
    const total = this.#total + prior;
    const keepBucket = (1 - 1 / PRIOR_MEAN_TOKENS) ** BUCKET_TOKENS;
    let longer = this.#total;
    let priorLonger = prior;
    for (let i = 0; i < BUCKETS; i++) {
      this.#survival[i] = Math.max(0, longer + priorLonger) / total;
      longer -= this.#counts[i] ?? 0;
      priorLonger *= keepBucket;
    }
    this.#survival[BUCKETS] = 0;
    this.#isDirty = false;
  }

  #rescale(): void {
    for (let i = 0; i < BUCKETS; i++) this.#counts[i] = (this.#counts[i] ?? 0) / this.#weight;
    this.#total /= this.#weight;
    this.#weight = 1;
  }
}
