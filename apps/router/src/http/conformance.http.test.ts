import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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
import { type RouterUnderTest, startRouterUnderTest, until } from "../testing/router-under-test.ts";
import { send } from "../testing/wire.ts";

/** What the one replica does next; each test sets it. */
let script: HostileScript;
let replica: HostileUpstream;
let router: RouterUnderTest;
let chat: string;
beforeAll(async () => {
  replica = await startHostileUpstream((exchange) => script(exchange));
  router = await startRouterUnderTest({
    replicas: [{ id: "r1", url: replica.url }],
    // One replica that misbehaves on purpose: all of its failures must be seen, none may eject it.
    policy: { retries: { maxAttempts: 1 }, limits: { panicBelow: 1 } },
  });
  chat = `${router.url}/v1/chat/completions`;
});
afterAll(async () => {
  await router.close();
  await replica.close();
});
beforeEach(() => {
  script = ({ socket }) => answer(socket, 200, CHAT_ANSWER);
});

const folder = resolve(
  process.env["EVENKEEL_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared"),
  "fixtures/openai",
);
const OWN_STREAM = Buffer.from(
  `\ufeff: hello\r\n\r\ndata:{"choices":[{"index":0,"delta":{"content":"hé \u{1f469}\u200d\u{1f680}"}}]}\r\rid: 7\nretry: 10\nevent: x\ndata: {"a":\ndata: 1}\n\ndata: [DONE]`,
);

/** Streams in every legal framing; recorded ones as well when they lie beside the repository. */
function framings(): [string, Buffer][] {
  const own: [string, Buffer] = ["an own stream with every freedom of the format", OWN_STREAM];
  const framing = resolve(folder, "framing");
  if (!existsSync(framing)) return [own];
  const recorded = readdirSync(framing).map((file): [string, Buffer] => [
    file,
    readFileSync(resolve(framing, file)),
  ]);
  return [own, ...recorded];
}

test.each(framings())("%s, cut at every byte, arrives byte for byte", async (_name, bytes) => {
  for (let cut = 1; cut < bytes.length; cut++) {
    script = ({ socket }) => {
      beginStream(socket);
      sendChunk(socket, bytes.subarray(0, cut));
      sendChunk(socket, bytes.subarray(cut));
      endStream(socket);
    };
    const received = await send(chat);
    expect(received.isComplete).toBe(true);
    expect(received.body.equals(bytes)).toBe(true);
  }
});

test.each(framings())("%s, in chunks of one byte, arrives byte for byte", async (_name, bytes) => {
  script = ({ socket }) => {
    beginStream(socket);
    for (let at = 0; at < bytes.length; at++) sendChunk(socket, bytes.subarray(at, at + 1));
    endStream(socket);
  };
  expect((await send(chat)).body.equals(bytes)).toBe(true);
});

test("streams of every engine arrive byte for byte", async () => {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sse"))
    : [];
  const streams: [string, Buffer][] =
    files.length > 0
      ? files.map((file) => [file, readFileSync(resolve(folder, file))])
      : [["own", OWN_STREAM]];
  for (const [file, bytes] of streams) {
    script = ({ socket }) => {
      beginStream(socket);
      for (let at = 0; at < bytes.length; at += 7) sendChunk(socket, bytes.subarray(at, at + 7));
      endStream(socket);
    };
    const received = await send(router.url + pathOf(file));
    // An error before the first token is the router's to answer: another replica might have done better.
    if (received.status === 200) {
      expect(received.body.subarray(0, bytes.length).equals(bytes), file).toBe(true);
      // What the engine left unfinished must not pass for a whole answer.
      expect(received.isComplete, file).toBe(!/truncated|cut/.test(file));
      if (received.isComplete) expect(received.body.length, file).toBe(bytes.length);
    } else expect(received.body.toString()).toContain('"error"');
  }
});

test("a compressed answer passes as it is", async () => {
  const packed = gzipSync(CHAT_ANSWER);
  script = ({ socket }) => answer(socket, 200, packed, "application/json", ["content-encoding: gzip"]);
  const received = await send(chat);
  expect(received.headers["content-encoding"]).toBe("gzip");
  expect(received.body.equals(packed)).toBe(true);
});

test("bytes that are no text at all pass as they are", async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256));
  script = ({ socket }) => answer(socket, 200, bytes, "audio/wav");
  expect((await send(chat)).body.equals(bytes)).toBe(true);
});

test("an engine's trailers never break the body", async () => {
  script = ({ socket }) => {
    beginStream(socket, ["trailer: x-checksum"]);
    sendChunk(socket, `${tokenEvent("a")}data: [DONE]\n\n`);
    socket.write("0\r\nx-checksum: 1\r\n\r\n");
  };
  const received = await send(chat);
  expect(received.isComplete).toBe(true);
  expect(received.body.toString()).toBe(`${tokenEvent("a")}data: [DONE]\n\n`);
});

test.each([204, 304])("a %i answer has no body and is no failure", async (status) => {
  script = ({ socket }) => socket.write(`HTTP/1.1 ${status} Scripted\r\netag: "x"\r\n\r\n`);
  const received = await send(chat);
  expect(received).toMatchObject({ status, isComplete: true, body: Buffer.alloc(0) });
  expect(received.headers["etag"]).toBe('"x"');
});

test("HEAD on the model list has the headers of GET and no body", async () => {
  const received = await send(`${router.url}/v1/models`, { method: "HEAD" });
  expect(received).toMatchObject({ status: 200, isComplete: true, body: Buffer.alloc(0) });
  expect(Number(received.headers["content-length"])).toBeGreaterThan(10);
});

test("interim answers of the engine stay between it and the router", async () => {
  script = ({ socket }) => {
    socket.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
    answer(socket, 200, CHAT_ANSWER);
  };
  const received = await send(chat);
  expect(received).toMatchObject({ status: 200, isComplete: true });
  expect(received.headers["link"]).toBeUndefined();
});

test("an answer without a length ends with its connection", async () => {
  script = ({ socket }) =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${CHAT_ANSWER}`);
  const received = await send(chat);
  expect(received.isComplete).toBe(true);
  expect(received.body.toString()).toBe(CHAT_ANSWER);
});

test("several headers of one name arrive in their number and order", async () => {
  script = ({ socket }) =>
    answer(socket, 200, "{}", "application/json", [
      "set-cookie: a=1",
      "set-cookie: b=2",
      "x-many: 1",
      "x-many: 2",
    ]);
  const { headers } = await send(chat);
  expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  expect(headers["x-many"]).toBe("1, 2");
});

test("an engine cannot speak for the router: its own headers of our names are replaced", async () => {
  script = ({ socket }) =>
    answer(socket, 200, "{}", "application/json", [
      "x-evenkeel-replica: other",
      "x-request-id: theirs",
      "connection: keep-alive, x-hop",
      "x-hop: 1",
      "keep-alive: timeout=1",
    ]);
  const { headers } = await send(chat, { headers: { "x-request-id": "mine" } });
  expect(headers["x-evenkeel-replica"]).toBe("r1");
  expect(headers["x-request-id"]).toBe("mine");
  expect(headers["x-hop"]).toBeUndefined();
});

test("an engine that answers before it has read the request is heard", async () => {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(4_000_000) }] });
  script = ({ socket }) => answer(socket, 413, '{"error":{"message":"too long","code":413}}');
  const received = await send(chat, { body });
  expect(received.status).toBe(413);
});

test.each<[string, HostileScript]>([
  ["in the status line", ({ socket }) => closing(socket, "HTTP/1.1 20")],
  ["in the headers", ({ socket }) => closing(socket, "HTTP/1.1 200 OK\r\ncontent-ty")],
  ["after the headers", ({ socket }) => closing(socket, "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")],
  [
    "two lengths",
    ({ socket }) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}"),
  ],
  [
    "a length and chunks",
    ({ socket }) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}"),
  ],
])(
  "an answer that breaks before its first byte (%s) is 502, whole and in our words",
  async (_name, broken) => {
    script = broken;
    const received = await send(chat);
    expect(received).toMatchObject({ status: 502, isComplete: true });
    expect(received.body.toString()).toContain('"code":"upstream_failed"');
  },
);

test.each<[string, string]>([
  ["in a chunk", `20\r\n${"data: half"}`],
  ["in a chunk's length", `5\r\ndata:\r\n2`],
  ["before the last chunk", `5\r\ndata:\r\n`],
  ["with a length that is no number", `5\r\ndata:\r\nzz\r\n`],
])("a stream that breaks %s is never complete, and says so", async (_name, bytes) => {
  script = ({ socket }) => {
    beginStream(socket);
    socket.write(bytes);
    setTimeout(() => socket.end(), 20);
  };
  const received = await send(chat);
  expect(received.isComplete).toBe(false);
  expect(received.body.toString()).toContain('"code":"upstream_failed"');
  expect(received.body.toString()).not.toContain("[DONE]");
});

test("a broken answer is a reset to a client that knows no chunks, for which an orderly close is the end", async () => {
  const whole = await sendOld();
  expect(whole).toMatchObject({ error: null });
  expect(whole.text).toContain(CHAT_ANSWER);
  script = ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    sendChunk(socket, CHAT_ANSWER.slice(0, 40));
    setTimeout(() => socket.resetAndDestroy(), 50);
  };
  expect(await sendOld()).toMatchObject({ error: "ECONNRESET" });
});

test("more bytes than announced are not the client's, and do not reach the next request", async () => {
  script = ({ socket }) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nevil!!!`,
    );
  };
  const received = await send(chat);
  expect(received.isComplete).toBe(true);
  expect(received.body.toString()).toBe("{}");
  script = ({ socket }) => answer(socket, 200, CHAT_ANSWER);
  expect((await send(chat)).body.toString()).toBe(CHAT_ANSWER);
});

test("a client that closes its side after the request counts as gone", async () => {
  script = () => {};
  const before = replica.exchanges.length;
  const body = '{"model":"m","messages":[{"role":"user","content":"x"}]}';
  const socket = connect({ port: router.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.resume();
  await (await replica.received(before)).closed;
  socket.destroy();
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
});

test("requests sent at once over one connection are answered in their order", async () => {
  script = ({ socket, body }) =>
    answer(socket, 200, JSON.stringify({ echo: JSON.parse(body.toString()).user }));
  const one = (user: string) => {
    const body = JSON.stringify({ model: "m", user, messages: [{ role: "user", content: "x" }] });
    return `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const socket = connect(router.port, "127.0.0.1");
  socket.write(one("first") + one("second") + one("third"));
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (received.includes("third")) break;
  }
  socket.destroy();
  expect(received.match(/first|second|third/g)).toEqual(["first", "second", "third"]);
});

test("a connection the engine closes when idle is never a client's error", async () => {
  script = ({ socket }) => {
    answer(socket, 200, CHAT_ANSWER);
    // Closes right after the answer, as an engine whose idle limit has just run out.
    setImmediate(() => socket.end());
  };
  for (let round = 0; round < 40; round++) {
    const received = await send(chat);
    expect(received).toMatchObject({ status: 200, isComplete: true });
  }
});

test("nothing is left behind by all that", async () => {
  script = ({ socket }) => answer(socket, 200, CHAT_ANSWER);
  expect((await send(chat)).status).toBe(200);
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
  expect(await router.metric("evenkeel_request_body_bytes")).toBe(0);
  expect(await router.metric("evenkeel_active_requests")).toBe(0);
  expect(router.logs.filter((line) => Number(line["level"]) >= 50)).toEqual([]);
});

/** A request as an HTTP/1.0 client sends it, and how its connection ended. */
async function sendOld(): Promise<{ text: string; error: string | null }> {
  const body = '{"model":"m","messages":[{"role":"user","content":"x"}]}';
  const socket = connect(router.port, "127.0.0.1");
  socket.write(
    `POST /v1/chat/completions HTTP/1.0\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let text = "";
  let error: string | null = null;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", (cause: NodeJS.ErrnoException) => {
    error = cause.code ?? cause.message;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return { text, error };
}

/** The route whose streams a recording holds. */
function pathOf(file: string): string {
  if (file.includes("messages")) return "/v1/messages";
  if (file.includes("responses")) return "/v1/responses";
  return file.includes("generate") ? "/v2/models/m/generate_stream" : "/v1/chat/completions";
}

function closing(socket: { write(text: string): unknown; end(): unknown }, text: string): void {
  socket.write(text);
  setTimeout(() => socket.end(), 20);
}
