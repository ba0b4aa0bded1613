/** Scheme, host, optional port, optional path; no user, query, blank, control character or backslash. */
const SHAPE =
  /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?(?:\/[\x21\x22\x24-\x3e\x40-\x5b\x5d-\x7e]*)?$/;
const HOST_LABEL = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;
/** A host whose last label looks like a number is an IPv4 address to every URL parser, or nothing. */
const NUMBER_LABEL = /^(\d+|0[xX][0-9A-Fa-f]*)$/;
const IPV6_GROUP = /^[0-9A-Fa-f]{1,4}$/;

/**
 * True for a URL a replica can be reached at. Stricter than what URL parsers take: what passes here means the same
 * to all of them.
 */
export function isReplicaUrl(text: string): boolean {
  const match = SHAPE.exec(text);
  const host = match?.[1];
  if (match === null || host === undefined) return false;
  const port = match[2];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  return host.startsWith("[") ? isIpv6(host.slice(1, -1)) : isHostName(host);
}

function isHostName(host: string): boolean {
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".");
  if (host.length > 253 || !labels.every((label) => HOST_LABEL.test(label))) return false;
  return !NUMBER_LABEL.test(labels.at(-1) ?? "") || isIpv4(host);
}

function isIpv4(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(address: string): boolean {
  const halves = address.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  let count = groups.length;
  if (last?.includes(".") && !address.endsWith("::")) {
    if (!isIpv4(last)) return false;
    groups.pop();
    count += 1;
  }
  return groups.every((group) => IPV6_GROUP.test(group)) && (halves.length === 2 ? count < 8 : count === 8);
}
