import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tellTrueAddress } from "./tell-true-address.ts";

const server = createServer((request, response) => response.end(request.headers["x-forwarded-for"]));

beforeAll(async () => {
  tellTrueAddress([]);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function told(headers: [string, string][]): Promise<string> {
  // A server listening on TCP has an address and port.
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
}

test("a handler is told the socket's address, not what the caller claims", async () => {
  expect(await told([])).toBe("127.0.0.1");
  expect(await told([["X-Forwarded-For", "203.0.113.9"]])).toBe("127.0.0.1");
  expect(await told([["x-forwarded-for", "203.0.113.9, 10.0.0.1"]])).toBe("127.0.0.1");
});
