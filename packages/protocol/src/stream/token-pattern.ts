const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FINISH_REASON = '"finish_reason"';

/**
 * Recognises a token event by the bytes around the token. The events of one stream are equal but for the text, so
 * once one has been parsed, comparing some forty bytes replaces parsing the rest: the tail from the text's closing
 * quote on, and the head too in dialects that put the finish reason or the event's type before the text.
 */
export class TokenPattern {
  private head: Uint8Array | null = null;
  private tail: Uint8Array | null = null;

  /** Learns from an event known to hold a plain token under `key`; forgets when the event does not lend itself. */
  learn(bytes: Uint8Array, start: number, end: number, key: string): void {
    const text = locateText(bytes, start, end, key);
    if (text === null) {
      this.tail = null;
      return;
    }
    this.tail = bytes.slice(text.end, end);
    this.head =
      indexOfText(this.tail, 0, this.tail.length, FINISH_REASON) === -1
        ? bytes.slice(start, text.start)
        : null;
  }

  /** True when the event is the learned one with another, non-empty text. */
  matches(bytes: Uint8Array, start: number, end: number): boolean {
    const { head, tail } = this;
    if (tail === null) {
      return false;
    }
    const textEnd = end - tail.length;
    if (textEnd - start < (head?.length ?? 2) + 1) {
      return false;
    }
    for (let i = 0; i < tail.length; i++) {
      if (bytes[textEnd + i] !== tail[i]) {
        return false;
      }
    }
    if (head !== null) {
      for (let i = 0; i < head.length; i++) {
        if (bytes[start + i] !== head[i]) {
          return false;
        }
      }
    }
    // An unescaped quote right before the closing one means an empty text, which is no token.
    return bytes[textEnd - 1] !== QUOTE || bytes[textEnd - 2] === BACKSLASH;
  }
}

/** The bytes between the quotes of the last `"key":"…"`. */
function locateText(bytes: Uint8Array, start: number, end: number, key: string) {
  const name = `"${key}":`;
  let at = -1;
  for (
    let next = indexOfText(bytes, start, end, name);
    next !== -1;
    next = indexOfText(bytes, next + 1, end, name)
  ) {
    at = next;
  }
  if (at === -1) {
    return null;
  }
  let open = at + name.length;
  while (bytes[open] === 0x20) {
    open += 1;
  }
  if (bytes[open] !== QUOTE) {
    return null;
  }
  for (let close = open + 1; close < end; close++) {
    if (bytes[close] === BACKSLASH) {
      close += 1;
    } else if (bytes[close] === QUOTE) {
      return { start: open + 1, end: close };
    }
  }
  return null;
}

function indexOfText(bytes: Uint8Array, start: number, end: number, text: string): number {
  for (let at = start; at <= end - text.length; at++) {
    let i = 0;
    while (i < text.length && bytes[at + i] === text.charCodeAt(i)) {
      i += 1;
    }
    if (i === text.length) {
      return at;
    }
  }
  return -1;
}
