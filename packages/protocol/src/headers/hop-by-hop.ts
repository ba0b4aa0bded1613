import { isFieldName } from "./field-syntax.ts";

/** Headers that concern one connection only (RFC 9110 section 7.6.1 and its forerunners). Lower case. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** True for a lower-case name that must not be forwarded whatever the message says. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name);
}

/**
 * The lower-case names that the `Connection` headers of a message declare hop-by-hop.
 * @param raw names and values in turn, as received
 */
export function connectionNamed(raw: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (raw[i]?.toLowerCase() === "connection") {
      for (const token of (raw[i + 1] ?? "").split(",")) {
        const name = token.trim().toLowerCase();
        if (isFieldName(name)) {
          named.add(name);
        }
      }
    }
  }
  return named;
}
