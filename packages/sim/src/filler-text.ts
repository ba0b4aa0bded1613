import { seededRng } from "@evenkeel/scheduler/rng";

const SYLLABLES = [
  "ba",
  "ce",
  "di",
  "fo",
  "gu",
  "ha",
  "je",
  "ki",
  "lo",
  "mu",
  "na",
  "pe",
  "qi",
  "ro",
  "su",
  "ta",
  "ve",
  "wi",
  "xo",
  "yu",
  "za",
  "ne",
  "mi",
  "so",
] as const;

/** Readable text of exactly `tokens` tokens of the simulated tokenizer, fully determined by `seed`. */
export function fillerText(seed: number, tokens: number): string {
  const rng = seededRng(seed);
  const pieces: string[] = [];
  for (let i = 0; i < tokens; i += 1) {
    const a = SYLLABLES[Math.floor(rng() * SYLLABLES.length)] ?? "ba";
    const b = SYLLABLES[Math.floor(rng() * SYLLABLES.length)] ?? "ce";
    // A syllable pair is 4 bytes; every second token ends in a space instead of its last letter.
    pieces.push(i % 2 === 0 ? a + b : `${a}${b.slice(0, 1)} `);
  }
  return pieces.join("");
}
