import { isFieldName, isFieldValue } from "./field-syntax.ts";
import { OWN_HEADER_PREFIX } from "./header-names.ts";
import { connectionNamed, isHopByHop } from "./hop-by-hop.ts";

/** `alt-svc` would lead the client past the router; load reports are the router's own business. */
const WITHHELD: ReadonlySet<string> = new Set(["alt-svc", "endpoint-load-metrics"]);

/**
 * The headers to answer a client with: the replica's in their order, duplicates kept, without what concerns only the
 * replica's connection; then `set`, which replaces fields of the same name.
 * `content-length` stays: the body is relayed as it is.
 * @param raw names and values in turn, as received from the replica
 * @param set names and values in turn
 */
export function responseHeadersFor(raw: readonly string[], set: readonly string[]): string[] {
  const named = connectionNamed(raw);
  const replaced = new Set<string>();
  for (let i = 0; i < set.length; i += 2) {
    replaced.add((set[i] ?? "").toLowerCase());
  }
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? "";
    const value = raw[i + 1] ?? "";
    const lower = name.toLowerCase();
    if (
      isHopByHop(lower) ||
      named.has(lower) ||
      replaced.has(lower) ||
      WITHHELD.has(lower) ||
      lower.startsWith(OWN_HEADER_PREFIX) ||
      !isFieldName(name) ||
      !isFieldValue(value)
    ) {
      continue;
    }
    kept.push(name, value);
  }
  kept.push(...set);
  return kept;
}
