import { type BlockList, isIP } from "node:net";

/**
 * The address a request really came from. What a header claims counts only as far as trusted proxies wrote it: each
 * appends the address it saw, so the list is read from its end until an entry is not a trusted proxy.
 * @param socket the other end of the connection; null for a connection without an address.
 * @param claimed `X-Forwarded-For` as received.
 */
export function trueAddress(
  socket: string | null,
  claimed: string | null,
  proxies: BlockList,
): string | null {
  let address = socket === null ? null : plainAddress(socket);
  const hops = claimed?.split(",") ?? [];
  while (address !== null && isIn(proxies, address)) {
    const before = plainAddress(hops.pop() ?? "");
    // The proxy told nothing we can read: it is the last one known.
    if (before === null) return address;
    address = before;
  }
  return address;
}

/** An address without the wrapping of a dual-stack socket; null when it is none. */
export function plainAddress(text: string): string | null {
  const trimmed = text.trim();
  const plain = trimmed.toLowerCase().startsWith("::ffff:") ? trimmed.slice(7) : trimmed;
  return isIP(plain) === 0 ? null : plain;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
