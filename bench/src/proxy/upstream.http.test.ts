import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { chatRequest, promptBodies } from "./prompt-bodies.ts";
import { Upstream } from "./upstream.ts";
import { STREAM_EVENTS } from "./upstream-pages.ts";

let upstream: Upstream | null = null;
afterEach(() => upstream?.close());

async function listen(): Promise<number> {
  upstream = new Upstream();
  const [port] = await upstream.listen(1);
  if (port === undefined) throw new Error("no port");
  return port;
}

test("a plain answer has about 1 KiB and says how many tokens the prompt had", async () => {
  const port = await listen();
  const [body = Buffer.alloc(0)] = promptBodies(64, false, 1);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST", body });
  const text = await answer.text();
  expect(text.length).toBeGreaterThan(900);
  expect(text.length).toBeLessThan(1_100);
  expect(JSON.parse(text).usage.prompt_tokens).toBe(Math.round(body.length / 4));
});

test.each(["flood", "paced"] as const)("a %s stream has 100 events and its end", async (pace) => {
  const port = await listen();
  if (upstream !== null) upstream.pace = pace;
  const [body = Buffer.alloc(0)] = promptBodies(4, true, 1);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST", body });
  const events = (await answer.text()).split("\n\n").filter((event) => event !== "");
  expect(events.length).toBe(STREAM_EVENTS + 1);
  expect(events.at(-1)).toBe("data: [DONE]");
  expect(JSON.parse(events[0]?.slice("data: ".length) ?? "").choices[0].delta.content).toMatch(/^@\d+\.\d+$/);
});

test("a request in pieces, one with chunked framing and two at once are each answered once", async () => {
  const port = await listen();
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let answers = 0;
  const received = new Promise<void>((resolve) => {
    socket.on("data", (data: Buffer) => {
      answers += data.toString().split("HTTP/1.1 200 OK").length - 1;
      if (answers === 4) resolve();
    });
  });
  const body = Buffer.from('{"model":"m","stream":false}');
  const whole = chatRequest(port, body);
  for (const at of [0, 20, whole.length - 5]) {
    socket.write(whole.subarray(at, at === 0 ? 20 : at === 20 ? whole.length - 5 : whole.length));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  socket.write(Buffer.concat([whole, whole]));
  socket.write(
    `POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  socket.write("0\r\n\r\n");
  await received;
  socket.destroy();
  expect(answers).toBe(4);
});
