/** Bytes of text that make one token: deterministic, and about what real tokenizers need for English. */
export const BYTES_PER_TOKEN = 4;

/**
 * The prompt as the simulated engine sees it: tokens of 4 bytes, chained hashes of its full blocks.
 * Every segment (a template mark, one message's text) is cut into tokens on its own, so an answer that comes back as a
 * message of the next turn gives the tokens it was produced as, and the prefix is found.
 */
export class PromptTokens {
  readonly #blockTokens: number;
  readonly #hashes: number[] = [];
  /** Tokens of the block not yet full. */
  #partial: number[] = [];
  #high: number;
  #low: number;
  #tokens = 0;
  readonly #seed: number;

  /** @param salt part of the prefix identity: the adapter and the client's cache salt */
  constructor(blockTokens: number, salt: string) {
    this.#blockTokens = blockTokens;
    let state = 0x9e3779b9;
    for (let i = 0; i < salt.length; i += 1) state = Math.imul(state ^ salt.charCodeAt(i), 0x85ebca6b);
    this.#high = state >>> 0;
    this.#low = 0x2545f491;
    this.#seed = state;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Chained hashes of the full blocks; whole numbers below 2^53. */
  get blockHashes(): readonly number[] {
    return this.#hashes;
  }

  addText(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    const whole = bytes.length - (bytes.length % BYTES_PER_TOKEN);
    for (let i = 0; i < whole; i += BYTES_PER_TOKEN) this.addToken(bytes.readInt32LE(i));
    if (whole < bytes.length) {
      let token = bytes.length - whole;
      for (let i = whole; i < bytes.length; i += 1) token = (token << 8) | (bytes[i] ?? 0);
      this.addToken(token);
    }
  }

  addToken(token: number): void {
    this.#partial.push(token);
    this.#tokens += 1;
    if (this.#partial.length < this.#blockTokens) return;
    let high = this.#high;
    let low = this.#low;
    for (const value of this.#partial) {
      high = Math.imul(high ^ value, 0x85ebca6b);
      high ^= high >>> 13;
      low = Math.imul(low ^ value ^ high, 0xc2b2ae35);
      low ^= low >>> 16;
    }
    this.#high = high >>> 0;
    this.#low = low >>> 0;
    this.#hashes.push(this.#high * 0x200000 + (this.#low >>> 11));
    this.#partial = [];
  }

  /** A number that depends on the whole prompt; the answer is drawn from it. */
  get fingerprint(): number {
    let state = this.#high ^ this.#low ^ this.#seed;
    for (const value of this.#partial) state = Math.imul(state ^ value, 0x27d4eb2f);
    return state >>> 0;
  }
}
