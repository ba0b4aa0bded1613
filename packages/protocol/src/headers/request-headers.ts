import { isFieldName, isFieldValue } from "./field-syntax.ts";
import { connectionNamed, isHopByHop } from "./hop-by-hop.ts";
import { isInternalHeader } from "./internal-headers.ts";

/**
 * Not hop-by-hop, yet about this connection: the router's own client sets `host` and `content-length` for the body it
 * sends, has no use for `expect` once the body is here, and must get answers uncompressed to read usage from them.
 */
const OWN_LEG: ReadonlySet<string> = new Set(["host", "content-length", "expect", "accept-encoding"]);

export interface RequestHeaderOptions {
  /** Headers to send instead of the client's, lower-case names and values in turn. */
  readonly set: readonly string[];
  /** More lower-case names to withhold, such as `authorization` when it holds a key of the router's own. */
  readonly withhold?: ReadonlySet<string>;
}

/**
 * The headers to send to a replica: the client's in their order, duplicates kept, without what concerns only the
 * client's connection, without internal routing headers, and without fields that are not legal HTTP.
 * @param raw names and values in turn, as received
 */
export function requestHeadersFor(raw: readonly string[], options: RequestHeaderOptions): string[] {
  const named = connectionNamed(raw);
  const replaced = new Set<string>();
  for (let i = 0; i < options.set.length; i += 2) {
    replaced.add((options.set[i] ?? "").toLowerCase());
  }
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? "";
    const value = raw[i + 1] ?? "";
    const lower = name.toLowerCase();
    if (
      isHopByHop(lower) ||
      OWN_LEG.has(lower) ||
      named.has(lower) ||
      replaced.has(lower) ||
      isInternalHeader(lower) ||
      options.withhold?.has(lower) ||
      !isFieldName(name) ||
      !isFieldValue(value)
    ) {
      continue;
    }
    kept.push(name, value);
  }
  kept.push(...options.set);
  return kept;
}
