import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { memberRanges } from "./locate-value.ts";

/** Changes to the top level of a JSON object. */
export interface ObjectEdits {
  /** Values to set, as JSON text; bytes are taken as they are, so that what is opaque stays exact. */
  readonly set: Readonly<Record<string, string | Uint8Array>>;
  /** Keys to leave out. */
  readonly remove?: readonly string[];
}

const COMMA = encodeUtf8(",");
const OPEN = encodeUtf8("{");
const CLOSE = encodeUtf8("}");

/**
 * Rewrites the top level of a valid JSON object. Members that are not named are copied byte for byte, so numbers too
 * large for JavaScript survive, and a long prompt is copied once and never parsed.
 */
export function editObject(body: Uint8Array, edits: ObjectEdits): Uint8Array {
  const dropped = new Set([...Object.keys(edits.set), ...(edits.remove ?? [])]);
  const pieces: Uint8Array[] = [];
  const add = (piece: Uint8Array) => {
    pieces.push(pieces.length === 0 ? OPEN : COMMA, piece);
  };
  for (const member of memberRanges(body)) {
    if (!dropped.has(member.key)) {
      add(body.subarray(member.start, member.end));
    }
  }
  for (const [key, value] of Object.entries(edits.set)) {
    const name = encodeUtf8(`${JSON.stringify(key)}:`);
    add(joined([name, typeof value === "string" ? encodeUtf8(value) : value]));
  }
  if (pieces.length === 0) {
    pieces.push(OPEN);
  }
  pieces.push(CLOSE);
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
