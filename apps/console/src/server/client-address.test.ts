import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["10.0.0.7", "10.0.0.7"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["1.2.3.4, 10.0.0.7", null],
  ["'; drop table audit_entries", null],
  ["", null],
])("x-forwarded-for %j is told as %j", (header, address) => {
  expect(clientAddress(new Headers({ "x-forwarded-for": header }))).toBe(address);
});

test("without the header no address is made up", () => {
  expect(clientAddress(new Headers())).toBeNull();
});
