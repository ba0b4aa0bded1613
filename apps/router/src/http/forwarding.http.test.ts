import { afterEach, expect, test } from "vitest";
import {
  answer,
  beginStream,
  CHAT_ANSWER,
  endStream,
  type HostileScript,
  type HostileUpstream,
  sendChunk,
  startHostileUpstream,
  tokenEvent,
} from "../testing/hostile-upstream.ts";
import {
  chatRequest,
  type RouterUnderTest,
  type RouterUnderTestOptions,
  startRouterUnderTest,
  until,
} from "../testing/router-under-test.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function upstream(script: HostileScript): Promise<HostileUpstream> {
  const started = await startHostileUpstream(script);
  cleanups.push(() => started.close());
  return started;
}

async function routerOver(
  upstreams: readonly { url: string }[],
  options: Omit<RouterUnderTestOptions, "replicas"> = {},
): Promise<RouterUnderTest> {
  const replicas = upstreams.map(({ url }, index) => ({ id: `r${index + 1}`, url }));
  const started = await startRouterUnderTest({ replicas, ...options });
  cleanups.push(() => started.close());
  return started;
}

const ok: HostileScript = ({ socket }) => answer(socket, 200, CHAT_ANSWER);

async function chat(router: RouterUnderTest, body = {}, headers = {}): Promise<Response> {
  return fetch(`${router.url}/v1/chat/completions`, chatRequest(body, headers));
}

test("request bytes reach the replica untouched, response bytes the client", async () => {
  const body =
    '{ "messages" : [{"role":"user","content":"h\\u00e9 \\ud83d\\ude00"}] ,\n "model":"m", "x": 12345678901234567890 }';
  const replica = await upstream(ok);
  const router = await routerOver([replica]);
  const response = await fetch(`${router.url}/v1/chat/completions?a=1`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-custom": "kept" },
    body,
  });
  expect(await response.text()).toBe(CHAT_ANSWER);
  const [exchange] = replica.exchanges;
  expect(exchange?.body.toString()).toBe(body);
  expect(exchange?.head).toContain("POST /v1/chat/completions?a=1 HTTP/1.1");
  expect(exchange?.head.toLowerCase()).toContain("x-custom: kept");
});

test("every answer names its decision, replica and policy revision, and keeps the client's request id", async () => {
  const router = await routerOver([await upstream(ok)]);
  const response = await chat(router, {}, { "x-request-id": "mine-1" });
  expect(response.headers.get("x-evenkeel-decision")).toMatch(/^dec_[0-9a-z]{26}$/);
  expect(response.headers.get("x-evenkeel-replica")).toBe("r1");
  expect(response.headers.get("x-evenkeel-policy")).toBe("0");
  expect(response.headers.get("x-request-id")).toBe("mine-1");
});

test("headers of one connection, headers it names, and routing headers stay behind", async () => {
  const replica = await upstream(ok);
  const router = await routerOver([replica]);
  await rawRequest(router, [
    "POST /v1/chat/completions HTTP/1.1",
    "Host: example.test",
    "Connection: keep-alive, X-Secret-Hop",
    "X-Secret-Hop: 1",
    "X-Evenkeel-Replica: r9",
    "X-Data-Parallel-Rank: 3",
    "X-Forwarded-For: 10.0.0.1",
    "Content-Type: application/json",
  ]);
  const head = replica.exchanges[0]?.head.toLowerCase() ?? "";
  expect(head).toContain("content-type: application/json");
  expect(head).not.toContain("x-secret-hop");
  expect(head).not.toContain("x-evenkeel");
  expect(head).not.toContain("x-data-parallel-rank");
  expect(head).not.toContain("x-forwarded-for");
  expect(head).not.toContain("example.test");
});

test.each([
  ["a refused connection", null],
  ["a connection reset before any answer", ({ socket }) => socket.resetAndDestroy()],
  ["a connection closed before any answer", ({ socket }) => socket.end()],
  [
    "headers without a body and then a reset",
    ({ socket }) => {
      beginStream(socket);
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
  ],
  ["status 500", ({ socket }) => answer(socket, 500, "{}")],
  ["status 503", ({ socket }) => answer(socket, 503, "{}")],
  ["status 429", ({ socket }) => answer(socket, 429, "{}")],
  ["an answer that is not HTTP", ({ socket }) => socket.end("SMTP ready\r\n\r\n")],
] satisfies [string, HostileScript | null][])(
  "%s is followed by an attempt at the next replica",
  async (_name, script) => {
    const bad = script === null ? await refusing() : await upstream(script);
    const good = await upstream(ok);
    const router = await routerOver([bad, good]);
    for (let round = 0; round < 4; round++) {
      const response = await chat(router);
      expect(response.status).toBe(200);
      expect(response.headers.get("x-evenkeel-replica")).toBe("r2");
      expect(await response.text()).toBe(CHAT_ANSWER);
    }
    expect(good.exchanges).toHaveLength(4);
  },
);

test("a byte sent is never sent again: a stream that breaks ends with an error event and no clean end", async () => {
  const breaking: HostileScript = ({ socket }) => {
    beginStream(socket);
    sendChunk(socket, tokenEvent("one"));
    setTimeout(() => socket.resetAndDestroy(), 50);
  };
  const replicas = [await upstream(breaking), await upstream(breaking)];
  const router = await routerOver(replicas);
  const response = await chat(router, { stream: true });
  const { text, isClean } = await drain(response);
  expect(isClean).toBe(false);
  expect(text.startsWith(tokenEvent("one"))).toBe(true);
  expect(text).toContain('"code":"upstream_failed"');
  expect(text).not.toContain("[DONE]");
  expect(replicas.reduce((sum, { exchanges }) => sum + exchanges.length, 0)).toBe(1);
});

test.each<[string, HostileScript]>([
  [
    "chunks that end as HTTP wants",
    ({ socket }) => {
      beginStream(socket);
      sendChunk(socket, tokenEvent("one"));
      endStream(socket);
    },
  ],
  [
    "a connection without a length that closes",
    ({ socket }) =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${tokenEvent("one")}`),
  ],
])("a stream cut before its own end is broken, also by %s", async (_name, cut) => {
  const router = await routerOver([await upstream(cut)]);
  const { text, isClean } = await drain(await chat(router, { stream: true }));
  expect(isClean).toBe(false);
  expect(text.startsWith(tokenEvent("one"))).toBe(true);
  expect(text).toContain('"code":"upstream_failed"');
  const metrics = await (await fetch(`${router.adminUrl}/metrics`)).text();
  expect(metrics).toContain('evenkeel_requests_total{model="m",outcome="broken_stream"} 1');
});

test("a stream that ends before its first byte is another replica's to answer", async () => {
  const empty = await upstream(({ socket }) => {
    beginStream(socket);
    endStream(socket);
  });
  const good = await upstream(ok);
  const router = await routerOver([empty, good]);
  for (let round = 0; round < 2; round++)
    expect(await (await chat(router, { stream: true })).text()).toBe(CHAT_ANSWER);
});

const FINISHED = 'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
test.each([
  ["a finished chat without [DONE]", "/v1/chat/completions", `${tokenEvent("a")}${FINISHED}`],
  ["a Triton stream", "/v2/models/m/generate_stream", 'data: {"model_name":"m","text_output":"a"}\n\n'],
  ["events of a route nobody knows", "/v1/audio/speech", 'data: {"type":"speech.audio.delta"}\n\n'],
  ["a messages stream", "/v1/messages", 'event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  [
    "a responses stream",
    "/v1/responses",
    'data: {"type":"response.completed","response":{"status":"completed"}}\n\n',
  ],
])("%s is whole as it is", async (_name, path, events) => {
  const replica = await upstream(({ socket }) => {
    beginStream(socket);
    sendChunk(socket, events);
    endStream(socket);
  });
  const router = await routerOver([replica]);
  const body = { input: "x", text_input: "x", prompt: "x", max_tokens: 5, stream: true };
  const { text, isClean } = await drain(await fetch(router.url + path, chatRequest(body)));
  expect({ text, isClean }).toEqual({ text: events, isClean: true });
});

test("a stream that stalls is ended as visibly as one that breaks", async () => {
  const replica = await upstream(({ socket }) => {
    beginStream(socket);
    sendChunk(socket, tokenEvent("one"));
  });
  const router = await routerOver([replica], { policy: { timeouts: { idleMs: 150 } } });
  const { text, isClean } = await drain(await chat(router, { stream: true }));
  expect(isClean).toBe(false);
  expect(text).toContain('"code":"upstream_timeout"');
  await (await replica.received(0)).closed;
});

test("an answer shorter than announced is cut off, not completed", async () => {
  const replica = await upstream(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":');
  });
  const router = await routerOver([replica]);
  const { text, isClean } = await drain(await chat(router));
  expect(isClean).toBe(false);
  expect(text).toBe('{"id":');
});

test("a client error is relayed as it is, tried once, and no fault of the replica", async () => {
  const body =
    '{"error":{"message":"too long","type":"invalid_request_error","param":"messages","code":400}}';
  const replicas = [
    await upstream(({ socket }) => answer(socket, 400, body, "application/json", ["x-engine: a"])),
    await upstream(({ socket }) => answer(socket, 400, body, "application/json", ["x-engine: b"])),
  ];
  const router = await routerOver(replicas);
  for (let round = 0; round < 12; round++) {
    const response = await chat(router);
    expect(response.status).toBe(400);
    expect(response.headers.get("x-engine")).not.toBeNull();
    expect(await response.text()).toBe(body);
  }
  expect(replicas.map(({ exchanges }) => exchanges.length)).toEqual([6, 6]);
  expect(await readyReplicas(router)).toBe(2);
});

test("saturated replicas are left in the fleet and the client is told when to come back", async () => {
  const full: HostileScript = ({ socket }) =>
    answer(socket, 429, "{}", "application/json", ["retry-after: 7"]);
  const router = await routerOver([await upstream(full), await upstream(full)]);
  const response = await chat(router);
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(await response.json()).toMatchObject({ error: { code: "saturated", type: "rate_limit_error" } });
  expect(await readyReplicas(router)).toBe(2);
});

test("a request that every replica answers with 500 is the request's fault, and ejects nobody", async () => {
  const failing: HostileScript = ({ socket }) => answer(socket, 500, "{}");
  const router = await routerOver([await upstream(failing), await upstream(failing)]);
  for (let round = 0; round < 5; round++) {
    const response = await chat(router);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: "upstream_failed" } });
  }
  expect(await readyReplicas(router)).toBe(2);
});

test("a replica that keeps failing where another succeeds is ejected", async () => {
  const bad = await upstream(({ socket }) => answer(socket, 500, "{}"));
  const router = await routerOver([bad, await upstream(ok)]);
  await until(async () => {
    await (await chat(router)).text();
    return (await readyReplicas(router)) === 1;
  });
  const before = bad.exchanges.length;
  for (let round = 0; round < 6; round++) await (await chat(router)).text();
  expect(bad.exchanges).toHaveLength(before);
});

test("when no replica begins to answer in time the client gets 504", async () => {
  const router = await routerOver([await upstream(() => {})], {
    policy: { timeouts: { firstByteMs: 150 }, retries: { maxAttempts: 1 } },
  });
  const response = await chat(router);
  expect(response.status).toBe(504);
  expect(await response.json()).toMatchObject({ error: { code: "upstream_timeout" } });
});

test("attempts stay within the policy's maximum", async () => {
  const replicas = await Promise.all(
    [0, 1, 2, 3].map(() => upstream(({ socket }) => socket.resetAndDestroy())),
  );
  const router = await routerOver(replicas, { policy: { retries: { maxAttempts: 2 } } });
  expect((await chat(router)).status).toBe(502);
  expect(replicas.reduce((sum, { exchanges }) => sum + exchanges.length, 0)).toBe(2);
});

test.each([
  ["streaming", true],
  ["not streaming", false],
])("a client that leaves while waiting (%s) aborts the replica's request", async (_name, stream) => {
  const replica = await upstream(() => {});
  const router = await routerOver([replica]);
  const abort = new AbortController();
  const response = fetch(`${router.url}/v1/chat/completions`, {
    ...chatRequest({ stream }),
    signal: abort.signal,
  });
  const exchange = await replica.received(0);
  abort.abort();
  await expect(response).rejects.toThrow();
  await exchange.closed;
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
  expect(replica.exchanges).toHaveLength(1);
});

test("a client that leaves in mid-stream aborts the replica's request, and in-flight returns to zero", async () => {
  const replica = await upstream(({ socket }) => {
    beginStream(socket);
    const timer = setInterval(() => sendChunk(socket, tokenEvent("x")), 5);
    socket.once("close", () => clearInterval(timer));
  });
  const router = await routerOver([replica]);
  const abort = new AbortController();
  const response = await fetch(`${router.url}/v1/chat/completions`, {
    ...chatRequest({ stream: true }),
    signal: abort.signal,
  });
  await response.body?.getReader().read();
  expect(await router.metric("evenkeel_in_flight")).toBe(1);
  abort.abort();
  await (await replica.received(0)).closed;
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
  expect(await router.metric("evenkeel_request_body_bytes")).toBe(0);
});

test("a slow reader holds the replica back instead of filling the router's memory", async () => {
  const chunk = tokenEvent("y".repeat(32 * 1024));
  let written = 0;
  const replica = await upstream(({ socket }) => {
    beginStream(socket);
    const pump = () => {
      while (written < 64 * 1024 * 1024) {
        written += chunk.length;
        sendChunk(socket, chunk);
        if (socket.writableNeedDrain) return void socket.once("drain", pump);
      }
    };
    pump();
  });
  const router = await routerOver([replica]);
  const abort = new AbortController();
  const response = await fetch(`${router.url}/v1/chat/completions`, {
    ...chatRequest({ stream: true }),
    signal: abort.signal,
  });
  let last = -1;
  await until(async () => {
    const isStuck = written === last;
    last = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return isStuck;
  });
  expect(written).toBeLessThan(32 * 1024 * 1024);
  abort.abort();
  await response.body?.cancel().catch(() => {});
  await (await replica.received(0)).closed;
});

test("a connection that closed under its request is replaced once, also when there is no other replica", async () => {
  const replica = await upstream(({ socket, index }) => {
    if (index === 1) socket.resetAndDestroy();
    else answer(socket, 200, CHAT_ANSWER);
  });
  const router = await routerOver([replica]);
  await (await chat(router)).text();
  expect(await (await chat(router)).text()).toBe(CHAT_ANSWER);
  expect(replica.exchanges).toHaveLength(3);
});

test("a failure reported inside a 200 stream is relayed as it came", async () => {
  const failure = 'data: {"error":{"message":"KV cache exhausted","type":"server_error","code":500}}\n\n';
  const replica = await upstream(({ socket }) => {
    beginStream(socket);
    sendChunk(socket, tokenEvent("a"));
    sendChunk(socket, `${failure}data: [DONE]\n\n`);
    endStream(socket);
  });
  const router = await routerOver([replica]);
  const { text, isClean } = await drain(await chat(router, { stream: true }));
  expect(isClean).toBe(true);
  expect(text).toBe(`${tokenEvent("a")}${failure}data: [DONE]\n\n`);
  const metrics = await (await fetch(`${router.adminUrl}/metrics`)).text();
  expect(metrics).toContain('evenkeel_requests_total{model="m",outcome="upstream_failed"} 1');
});

test("a replica's own key goes to it, in place of what the client sent, and nowhere else", async () => {
  const [locked, open] = [await upstream(ok), await upstream(ok)];
  const router = await startRouterUnderTest({
    replicas: [
      { id: "r1", url: locked.url, apiKeyEnv: "R1_KEY" },
      { id: "r2", url: open.url },
    ],
    environment: { R1_KEY: "engine-secret" },
  });
  cleanups.push(() => router.close());
  for (let round = 0; round < 2; round++)
    await (await chat(router, {}, { authorization: "Bearer client" })).text();
  expect(locked.exchanges[0]?.head.toLowerCase()).toContain("authorization: bearer engine-secret");
  expect(locked.exchanges[0]?.head).not.toContain("Bearer client");
  expect(open.exchanges[0]?.head).toContain("Bearer client");
  expect(JSON.stringify(router.logs)).not.toContain("engine-secret");
});

test("a replica that asks for a pause gets nothing from the very next decision on", async () => {
  const full = await upstream(({ socket }) =>
    answer(socket, 429, "{}", "application/json", ["retry-after: 60"]),
  );
  const good = await upstream(ok);
  const router = await routerOver([full, good]);
  for (let round = 0; round < 6; round++)
    expect((await chat(router)).headers.get("x-evenkeel-replica")).toBe("r2");
  expect(full.exchanges.length).toBeLessThanOrEqual(1);
});

test("with every replica paused the client is told at once when the first pause ends", async () => {
  const full = await upstream(({ socket }) =>
    answer(socket, 503, "{}", "application/json", ["retry-after: 30"]),
  );
  const router = await routerOver([full], { policy: { limits: { maxQueueMs: 50 } } });
  await chat(router);
  const response = await chat(router);
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(25);
  expect(full.exchanges).toHaveLength(1);
});

test("a refusal as the first event of a 200 stream is no byte to the client: another replica answers", async () => {
  const refusing = await upstream(({ socket }) => {
    beginStream(socket);
    sendChunk(
      socket,
      'data: {"error":{"object":"error","message":"The request queue is full.","code":503}}\n\n',
    );
    sendChunk(socket, "data: [DONE]\n\n");
    endStream(socket);
  });
  const good = await upstream(({ socket }) => {
    beginStream(socket);
    sendChunk(socket, `${tokenEvent("fine")}data: [DONE]\n\n`);
    endStream(socket);
  });
  const router = await routerOver([refusing, good]);
  for (let round = 0; round < 2; round++) {
    expect(await (await chat(router, { stream: true })).text()).toBe(`${tokenEvent("fine")}data: [DONE]\n\n`);
  }
});

test("a replica without the model passes the request on; when none has it the engine's own words reach the client", async () => {
  const body =
    '{"error":{"message":"The model `m` does not exist.","type":"NotFoundError","param":"model","code":404}}';
  const missing = await upstream(({ socket }) => answer(socket, 404, body));
  const good = await upstream(ok);
  const router = await routerOver([missing, good]);
  for (let round = 0; round < 2; round++) expect((await chat(router)).status).toBe(200);
  await router.writeFleet([{ id: "r1", url: missing.url }]);
  await until(async () => (await readyReplicas(router)) === 1);
  const response = await chat(router);
  expect(response.status).toBe(404);
  expect(await response.text()).toBe(body);
});

test("Anthropic clients get errors in their own envelope", async () => {
  const router = await routerOver([await upstream(({ socket }) => socket.resetAndDestroy())]);
  const response = await fetch(`${router.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] }),
  });
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({
    type: "error",
    error: { type: "api_error", code: "upstream_failed" },
  });
});

test.each([
  ["/v1/responses", { model: "m", input: "x" }],
  ["/v1/embeddings", { model: "m", input: ["x"] }],
  ["/v1/rerank", { model: "m", query: "x", documents: ["y"] }],
  ["/v1/score", { model: "m", text_1: "x", text_2: "y" }],
  ["/tokenize", { model: "m", prompt: "x" }],
  ["/v1/messages", { model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] }],
  ["/v2/models/m/generate", { text_input: "x" }],
  ["/v1/something/new", { model: "m", whatever: true }],
])("%s is routed by its model and passed on as it is", async (path, body) => {
  const replica = await upstream(({ socket }) => answer(socket, 200, '{"fine":true}'));
  const router = await routerOver([replica]);
  const response = await fetch(router.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(await response.text()).toBe('{"fine":true}');
  expect(replica.exchanges[0]?.head).toContain(`POST ${path} HTTP/1.1`);
  expect(replica.exchanges[0]?.body.toString()).toBe(JSON.stringify(body));
});

test("an audio upload is routed by the model field after its file, and passed on byte by byte", async () => {
  const replica = await upstream(({ socket }) => answer(socket, 200, '{"text":"hi"}'));
  const router = await routerOver([replica]);
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(5_000).fill(7)]), "a.wav");
  form.set("model", "m");
  const response = await fetch(`${router.url}/v1/audio/transcriptions`, { method: "POST", body: form });
  expect(await response.json()).toEqual({ text: "hi" });
  expect(replica.exchanges[0]?.body.length).toBeGreaterThan(5_000);
});

async function refusing(): Promise<{ url: string }> {
  const gone = await startHostileUpstream(() => {});
  await gone.close();
  return { url: gone.url };
}

async function readyReplicas(router: RouterUnderTest): Promise<number> {
  const text = await (await fetch(`${router.adminUrl}/metrics`)).text();
  return text.split("\n").filter((line) => /^evenkeel_replica_state\{.*state="ready"\} 1$/.test(line)).length;
}

/** Reads a body to its end; a broken one is not clean. */
async function drain(response: Response): Promise<{ text: string; isClean: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, isClean: true };
  } catch {
    return { text, isClean: false };
  }
}

async function rawRequest(router: RouterUnderTest, head: readonly string[]): Promise<string> {
  const { connect } = await import("node:net");
  const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
  const socket = connect(router.port, "127.0.0.1");
  socket.write(`${head.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (received.includes("}")) break;
  }
  socket.destroy();
  return received;
}
