import { isIP } from "node:net";

/**
 * The address a request came from, for the audit entry; null when none is told. The last hop wrote the last entry;
 * what stands before it is the caller's own claim.
 */
export function clientAddress(headers: Headers): string | null {
  const last = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const plain = last.startsWith("::ffff:") ? last.slice(7) : last;
  return isIP(plain) === 0 ? null : plain;
}
