import type { PromptTokens } from "./prompt-tokens.ts";

/** Words of exactly 4 bytes, so that one word is one token of the simulated tokenizer. */
const WORDS = [
  " the",
  " and",
  " for",
  " you",
  " not",
  " are",
  " but",
  " all",
  " can",
  " one",
  " our",
  " out",
  " day",
  " get",
  " has",
  " how",
  " man",
  " new",
  " now",
  " old",
  " see",
  " two",
  " way",
  " who",
  " its",
  " did",
  " yes",
  " set",
  " run",
  " let",
  " put",
  " say",
] as const;

/** The words a simulated engine answers with: deterministic in the prompt, and known to its prefix cache. */
export class AnswerWords {
  readonly #fingerprint: number;
  readonly #tokens: PromptTokens;
  readonly #hashesOfPrompt: number;
  #appended = 0;

  constructor(prompt: PromptTokens) {
    this.#fingerprint = prompt.fingerprint;
    this.#tokens = prompt;
    this.#hashesOfPrompt = prompt.blockHashes.length;
  }

  /** Full blocks of the prompt alone. */
  get promptBlocks(): number {
    return this.#hashesOfPrompt;
  }

  /** Word number `index`, counted from 0. */
  word(index: number): string {
    let mixed = Math.imul(this.#fingerprint ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
    mixed ^= mixed >>> 15;
    return WORDS[(mixed >>> 8) % WORDS.length] ?? " the";
  }

  /** Hash of block `index` of prompt and answer together. */
  blockHash(index: number): number {
    while (this.#tokens.blockHashes.length <= index) {
      this.#tokens.addText(this.word(this.#appended));
      this.#appended += 1;
    }
    return this.#tokens.blockHashes[index] ?? 0;
  }
}
