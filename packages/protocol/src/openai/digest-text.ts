/** Texts up to this length are digested whole, longer ones by their ends and an even sample of the middle. */
const WHOLE_LENGTH = 16_384;
const END_LENGTH = 2_048;
const SAMPLE_COUNT = 8_192;

/**
 * A short stable name for a long text such as a base64 image: two 32-bit multiplicative hashes and the length.
 * Not cryptographic: a collision can only misjudge which replica has the media cached.
 */
export function digestText(text: string): string {
  return digestCodes(text.length, (index) => text.charCodeAt(index));
}

/** The same for a text as it was sent. The two names of one text differ: use one way for texts of a kind. */
export function digestBytes(text: {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}): string {
  return digestCodes(text.end - text.start, (index) => text.bytes[text.start + index] ?? 0);
}

function digestCodes(length: number, codeAt: (index: number) => number): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  const mix = (index: number) => {
    const code = codeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 15);
  };
  if (length <= WHOLE_LENGTH) {
    for (let i = 0; i < length; i++) {
      mix(i);
    }
  } else {
    for (let i = 0; i < END_LENGTH; i++) {
      mix(i);
      mix(length - 1 - i);
    }
    const stride = (length - 2 * END_LENGTH) / SAMPLE_COUNT;
    for (let i = 0; i < SAMPLE_COUNT; i++) {
      mix(END_LENGTH + Math.floor(i * stride));
    }
  }
  return `${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}${length.toString(16)}`;
}
