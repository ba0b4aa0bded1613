/** The one platform class this package needs; the ES-only lib does not declare it, every runtime has it. */
declare class TextDecoder {
  constructor(label: "utf-8", options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Decodes UTF-8; null when the bytes are not valid UTF-8. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes UTF-8 and puts U+FFFD where bytes are invalid. For text that is only shown or searched. */
export function decodeUtf8Lenient(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}
