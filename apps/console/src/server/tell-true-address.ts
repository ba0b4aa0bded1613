import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { trueAddress } from "./true-address.ts";

/**
 * Makes `X-Forwarded-For` of every request this process serves the one true address. Route handlers see no socket, and
 * the framework keeps the header a caller sends: here is the only place that knows both. It runs before any handler.
 * @param proxies addresses and CIDR networks whose word on `X-Forwarded-For` is taken.
 */
export function tellTrueAddress(proxies: readonly string[]): void {
  const trusted = proxyList(proxies);
  subscribe("http.server.request.start", (message) => {
    const request = requestIn(message);
    if (request === null) return;
    const claimed = request.headers["x-forwarded-for"];
    const address = trueAddress(
      request.socket.remoteAddress ?? null,
      // Node joins repeated headers of this name.
      typeof claimed === "string" ? claimed : null,
      trusted,
    );
    if (address === null) delete request.headers["x-forwarded-for"];
    else request.headers["x-forwarded-for"] = address;
  });
}

function requestIn(message: unknown): IncomingMessage | null {
  if (typeof message !== "object" || message === null || !("request" in message)) return null;
  return message.request instanceof IncomingMessage ? message.request : null;
}

function proxyList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
