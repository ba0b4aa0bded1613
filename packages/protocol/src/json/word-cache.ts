const SLOTS = 1024;

/**
 * Short ASCII words of bodies as strings: `role`, `content`, `user` come thousands of times a second, and looking one up
 * is cheaper than decoding it. Direct-mapped, so bounded: a new word takes the place of another.
 */
export class WordCache {
  readonly #words: string[] = new Array<string>(SLOTS).fill("");

  /** The string of the ASCII bytes from `start` to `end`; for short ones. */
  read(bytes: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length === 0) {
      return "";
    }
    const first = bytes[start] ?? 0;
    const last = bytes[end - 1] ?? 0;
    const middle = bytes[start + (length >> 1)] ?? 0;
    const slot = (length * 131 + first * 31 + middle * 17 + last * 7) % SLOTS;
    const known = this.#words[slot] ?? "";
    if (isSame(known, bytes, start, length)) {
      return known;
    }
    const word = String.fromCharCode(...bytes.subarray(start, end));
    this.#words[slot] = word;
    return word;
  }
}

function isSame(word: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (word.length !== length) {
    return false;
  }
  for (let i = 0; i < length; i++) {
    if (word.charCodeAt(i) !== bytes[start + i]) {
      return false;
    }
  }
  return true;
}
