import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { trueAddress } from "./true-address.ts";

const none = new BlockList();
const proxies = new BlockList();
proxies.addSubnet("10.0.0.0", 8);
proxies.addAddress("2001:db8::1", "ipv6");

test.each([
  ["203.0.113.9", null],
  ["203.0.113.9", "1.2.3.4"],
  ["203.0.113.9", "1.2.3.4, 10.0.0.7"],
  ["::ffff:203.0.113.9", "1.2.3.4"],
])("without trusted proxies the socket %j counts, whatever the header %j claims", (socket, claimed) => {
  expect(trueAddress(socket, claimed, none)).toBe("203.0.113.9");
});

test.each([
  ["one proxy", "10.0.0.7", "203.0.113.9", "203.0.113.9"],
  ["two proxies", "10.0.0.7", "203.0.113.9, 10.0.0.8", "203.0.113.9"],
  ["a proxy of IPv6", "2001:db8::1", "203.0.113.9", "203.0.113.9"],
  ["a proxy on a dual-stack socket", "::ffff:10.0.0.7", "203.0.113.9", "203.0.113.9"],
  ["a claim before the proxy's own word", "10.0.0.7", "1.2.3.4, 203.0.113.9", "203.0.113.9"],
  ["a proxy that tells nothing", "10.0.0.7", null, "10.0.0.7"],
  ["a proxy that tells no address", "10.0.0.7", "1.2.3.4, unknown", "10.0.0.7"],
  ["a stranger who is no proxy", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
])("behind %s the caller is found", (_, socket, claimed, address) => {
  expect(trueAddress(socket, claimed, proxies)).toBe(address);
});

test("a connection without an address has none, whatever is claimed", () => {
  expect(trueAddress(null, "1.2.3.4", proxies)).toBeNull();
});
