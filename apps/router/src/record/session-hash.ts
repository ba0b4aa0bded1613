import { createHmac } from "node:crypto";

/**
 * Keyed hash of a client's session key: fixed size, the same on every router that shares the key, and not to be
 * turned back into what the client sent.
 * @returns 32 hexadecimal characters.
 */
export function hashSession(sessionKey: string, key: string): string {
  return createHmac("sha256", key).update(sessionKey).digest("hex").slice(0, 32);
}
