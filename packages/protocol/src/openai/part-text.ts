import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";
import type { PromptPart } from "./prompt-parts.ts";

/** A prompt part to look at: text as sent is decoded but its JSON escapes stay. For tests. */
export function partText(part: PromptPart): string | readonly number[] {
  if (typeof part === "string" || !("bytes" in part)) {
    return part;
  }
  return decodeUtf8Lenient(part.bytes.subarray(part.start, part.end));
}
