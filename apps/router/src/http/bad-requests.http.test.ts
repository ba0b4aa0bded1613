import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  answer,
  CHAT_ANSWER,
  type HostileUpstream,
  startHostileUpstream,
} from "../testing/hostile-upstream.ts";
import { chatRequest, type RouterUnderTest, startRouterUnderTest } from "../testing/router-under-test.ts";

let replica: HostileUpstream;
let router: RouterUnderTest;
beforeAll(async () => {
  replica = await startHostileUpstream(({ socket }) => answer(socket, 200, CHAT_ANSWER));
  router = await startRouterUnderTest({
    replicas: [{ id: "r1", url: replica.url }],
    policy: { name: "m*" },
    environment: {
      ROUTER_MAX_BODY_BYTES: "1000",
      ROUTER_MAX_HEADER_BYTES: "4096",
      ROUTER_REQUEST_TIMEOUT_MS: "700",
    },
  });
});
afterAll(async () => {
  await router.close();
  await replica.close();
});

async function post(body: string, path = "/v1/chat/completions"): Promise<Response> {
  return fetch(router.url + path, { method: "POST", headers: { "content-type": "application/json" }, body });
}

test.each([
  ["malformed JSON", '{"model":"m",', 400, "invalid_request", "body"],
  ["an empty body", "", 400, "invalid_request", "body"],
  ["no model", '{"messages":[{"role":"user","content":"x"}]}', 400, "invalid_request", "model"],
  ["no messages", '{"model":"m"}', 400, "invalid_request", "messages"],
  [
    "a model nobody serves",
    '{"model":"nope","messages":[{"role":"user","content":"x"}]}',
    404,
    "unknown_model",
    "model",
  ],
  [
    "a model the policy allows and no replica has",
    '{"model":"m2","messages":[{"role":"user","content":"x"}]}',
    404,
    "unknown_model",
    "model",
  ],
  ["an oversized body", `{"model":"m","x":"${"y".repeat(1000)}"}`, 413, "body_too_large", null],
])("%s gets an OpenAI error that names the field", async (_name, body, status, code, param) => {
  const response = await post(body);
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-request-id")).toBeTruthy();
  expect(await response.json()).toMatchObject({ error: { code, param, message: expect.any(String) } });
});

test("an oversized body is refused while it is being sent, also when its length was not announced", async () => {
  const received = await raw(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${"400\r\n".concat("z".repeat(1024))}\r\n`,
  );
  expect(received).toContain("HTTP/1.1 413");
  expect(received).toContain('"code":"body_too_large"');
});

test("a client that is still uploading gets to read why its body is refused", async () => {
  const body = "z".repeat(8_000_000);
  const received = await raw(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(received).toContain("HTTP/1.1 413");
  expect(received).toContain('"code":"body_too_large"');
});

test("an unknown path is 404, a wrong method 405, each with a body", async () => {
  const missing = await post("{}", "/nowhere");
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { code: "invalid_request" } });
  const wrong = await fetch(`${router.url}/v1/chat/completions`);
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get("allow")).toBe("POST");
  expect(await wrong.json()).toMatchObject({ error: { code: "invalid_request" } });
  const list = await post("{}", "/v1/models");
  expect([list.status, list.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("an expectation nobody can meet is 417 and CONNECT is 405, both with the usual body", async () => {
  const before = replica.exchanges.length;
  const body = '{"model":"m","messages":[{"role":"user","content":"x"}]}';
  const expecting = await raw(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(expecting).toContain("HTTP/1.1 417 ");
  expect(expecting).toContain("x-request-id: ");
  expect(expecting).toMatch(/"param":"expect","code":"invalid_request"\}\}$/);
  const connecting = await raw("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n");
  expect(connecting).toContain("HTTP/1.1 405 ");
  expect(connecting).toContain("allow: GET, POST\r\n");
  expect(connecting).toMatch(/"code":"invalid_request"\}\}$/);
  expect(replica.exchanges).toHaveLength(before);
});

test("a request id too long to keep or with control characters is replaced", async () => {
  const ids = ["x".repeat(257), "x".repeat(129), "a\tb", "mine"];
  const kept = await Promise.all(
    ids.map(async (id) => {
      const response = await fetch(`${router.url}/v1/models`, { headers: { "x-request-id": id } });
      return response.headers.get("x-request-id") === id;
    }),
  );
  expect(kept).toEqual([false, false, false, true]);
});

test.each([
  ["/v1/../sleep?level=2", 400],
  ["/v1/%2e%2e/flush_cache", 400],
  ["/v1/..\\flush_cache", 400],
  ["/v1//flush_cache", 400],
  ["/v1/unload_lora_adapter#", 400],
  ["/v1/unload_lora_adapter", 404],
  ["/v1/%6coad_lora_adapter", 404],
])("%s does not reach an engine's administration", async (path, status) => {
  const before = replica.exchanges.length;
  const body = '{"model":"m","lora_name":"a"}';
  const received = await raw(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(received).toContain(`HTTP/1.1 ${status} `);
  expect(received).toContain('"code":"invalid_request"');
  expect(replica.exchanges).toHaveLength(before);
});

test.each([
  ["two different lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}}}}}"],
  ["a length beside chunked encoding", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["an encoding in disguise", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"],
  ["a folded header", "X-A: b\r\n  Content-Length: 5\r\nContent-Length: 2\r\n\r\n{}"],
  ["a space before the colon", "Content-Length : 2\r\n\r\n{}"],
  ["a bare line feed in a header", "X-A: b\nX-B: c\r\nContent-Length: 2\r\n\r\n{}"],
  ["a header name that is no token", "X(A): b\r\nContent-Length: 2\r\n\r\n{}"],
])("%s is refused, and nothing of it reaches a replica", async (_name, rest) => {
  const before = replica.exchanges.length;
  const received = await raw(`POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n${rest}`);
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(received).toContain('"code":"invalid_request"');
  expect(replica.exchanges).toHaveLength(before);
});

test("headers beyond the limit are 431, a request that never arrives 408", async () => {
  expect(await raw(`GET /v1/models HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(8000)}\r\n\r\n`)).toContain(
    " 431 ",
  );
  expect(await raw("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")).toContain(
    " 408 ",
  );
});

test("a protocol upgrade is refused with a status", async () => {
  const received = await raw(
    "GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
  );
  expect(received).toContain(" 501 ");
});

test("after all that the router still serves", async () => {
  const response = await fetch(`${router.url}/v1/chat/completions`, chatRequest());
  expect(response.status).toBe(200);
  expect(await router.metric("evenkeel_request_body_bytes")).toBe(0);
  expect(await router.metric("evenkeel_active_requests")).toBe(0);
});

/** Sends bytes as they are and returns what comes back until the other side closes or answers whole. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(router.port, "127.0.0.1");
  socket.write(bytes, "latin1");
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (/\r\n\r\n.*\}\}$/s.test(received)) break;
  }
  socket.destroy();
  return received;
}
