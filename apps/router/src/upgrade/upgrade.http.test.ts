import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { startHostileUpstream } from "../testing/hostile-upstream.ts";
import {
  type RouterUnderTest,
  startRouterUnderTest,
  type TestReplica,
  until,
} from "../testing/router-under-test.ts";

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A replica that switches protocols, says hello first, and then echoes every byte. */
async function echoing(): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((_request, response) => response.end());
  server.on("upgrade", (request, socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    const lines = [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: for-${request.headers["sec-websocket-key"]}`,
      "Sec-WebSocket-Protocol: realtime",
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\nhello ${request.url}`);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A listening TCP server's address is an object.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

async function routerOver(replicas: readonly TestReplica[]): Promise<RouterUnderTest> {
  const router = await startRouterUnderTest({ replicas });
  cleanups.push(() => router.close());
  return router;
}

/** Asks to switch; collects what comes. */
function open(router: RouterUnderTest, path: string) {
  const socket = connect(router.port, "127.0.0.1");
  cleanups.push(() => socket.destroy());
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      "Sec-WebSocket-Key: k1\r\n\r\n",
  );
  return {
    socket,
    closed,
    received: () => received,
    has: (text: string) => until(() => received.includes(text)),
  };
}

test("a WebSocket passes through: handshake, the server's first word, bytes both ways, and the close", async () => {
  const replica = await echoing();
  const router = await routerOver([{ id: "r1", url: replica.url }]);
  const client = open(router, "/v1/realtime?model=m");
  await client.has("hello /v1/realtime?model=m");
  expect(client.received()).toMatch(/^HTTP\/1\.1 101 /);
  expect(client.received().toLowerCase()).toContain("sec-websocket-accept: for-k1");
  expect(client.received().toLowerCase()).toContain("sec-websocket-protocol: realtime");
  expect(client.received()).toContain("x-evenkeel-replica: r1");
  client.socket.write("\u0001ping");
  await client.has("\u0001ping");
  expect(await router.metric("evenkeel_in_flight")).toBe(1);
  client.socket.destroy();
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
  await until(() => replica.sockets.every(({ destroyed }) => destroyed));
});

test("when the replica closes the client's connection closes", async () => {
  const replica = await echoing();
  const router = await routerOver([{ id: "r1", url: replica.url }]);
  const client = open(router, "/v1/realtime");
  await client.has("hello");
  replica.sockets[0]?.destroy();
  await client.closed;
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
});

test("a replica that cannot be reached is passed over", async () => {
  const gone = await startHostileUpstream(() => {});
  await gone.close();
  const replica = await echoing();
  const router = await routerOver([
    { id: "r1", url: gone.url },
    { id: "r2", url: replica.url },
  ]);
  for (let round = 0; round < 2; round++) await open(router, "/v1/realtime").has("x-evenkeel-replica: r2");
});

test("with several models the query must name one; an unknown one is 404", async () => {
  const router = await routerOver([
    { id: "r1", url: (await echoing()).url },
    { id: "r2", url: (await echoing()).url, model: "other" },
  ]);
  const unnamed = open(router, "/v1/realtime");
  await unnamed.closed;
  expect(unnamed.received()).toMatch(/^HTTP\/1\.1 400 /);
  expect(unnamed.received()).toContain('"param":"model"');
  const unknown = open(router, "/v1/realtime?model=nope");
  await unknown.closed;
  expect(unknown.received()).toMatch(/^HTTP\/1\.1 404 /);
});

test("a replica without WebSocket answers the client in its own words", async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/v1/realtime")) response.writeHead(404).end('{"detail":"Not Found"}');
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  const router = await routerOver([
    { id: "r1", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  ]);
  const client = open(router, "/v1/realtime");
  await client.closed;
  expect(client.received()).toMatch(/^HTTP\/1\.1 404 /);
  expect(client.received()).toContain('{"detail":"Not Found"}');
});
