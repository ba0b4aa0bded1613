/** Texts up to this length are digested whole, longer ones by their ends and an even sample of the middle. */
const WHOLE_LENGTH = 16_384;
const END_LENGTH = 2_048;
const SAMPLE_COUNT = 8_192;

/**
 * A short stable name for a long text such as a base64 image: two 32-bit multiplicative hashes and the length.
 * Not cryptographic: a collision can only misjudge which replica has the media cached.
 */
export function digestText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  const mix = (index: number) => {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 15);
  };
  if (text.length <= WHOLE_LENGTH) {
    for (let i = 0; i < text.length; i++) {
      mix(i);
    }
  } else {
    for (let i = 0; i < END_LENGTH; i++) {
      mix(i);
      mix(text.length - 1 - i);
    }
    const stride = (text.length - 2 * END_LENGTH) / SAMPLE_COUNT;
    for (let i = 0; i < SAMPLE_COUNT; i++) {
      mix(END_LENGTH + Math.floor(i * stride));
    }
  }
  return `${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}${text.length.toString(16)}`;
}
