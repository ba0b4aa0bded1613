/** The one platform class this file needs; the ES-only lib does not declare it, every runtime has it. */
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const encoder = new TextEncoder();

/** Encodes text as UTF-8; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}
