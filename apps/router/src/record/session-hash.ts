import { createHmac } from "node:crypto";

/** Sessions of one generation; two are remembered. */
const GENERATION = 4096;

/** Hashes of the sessions seen last: a conversation comes again and again, and a keyed hash costs as much as parsing its request. */
let recent = new Map<string, string>();
let older = new Map<string, string>();
let keyOfBoth = "";

/**
 * Keyed hash of a client's session key: fixed size, the same on every router that shares the key, and not to be
 * turned back into what the client sent.
 * @returns 16 hexadecimal characters.
 */
export function hashSession(sessionKey: string, key: string): string {
  if (key !== keyOfBoth) {
    recent = new Map();
    older = new Map();
    keyOfBoth = key;
  }
  const known = recent.get(sessionKey);
  if (known !== undefined) return known;
  const hash =
    older.get(sessionKey) ?? createHmac("sha256", key).update(sessionKey).digest("hex").slice(0, 16);
  if (recent.size >= GENERATION) {
    older = recent;
    recent = new Map();
  }
  recent.set(sessionKey, hash);
  return hash;
}
