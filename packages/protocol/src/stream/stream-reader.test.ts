import { expect, test } from "vitest";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import type { RouteKind } from "../openai/route-kind.ts";
import { openStreamReader } from "./open-stream-reader.ts";

function read(kind: RouteKind, text: string) {
  const reader = openStreamReader(kind);
  const pushed = reader.push(encodeUtf8(text));
  return { reader, pushed, ending: reader.end() };
}

const chat = (delta: object, rest: object = {}, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...rest })}\n\n`;
const role = chat({ role: "assistant", content: "" });
const DONE = "data: [DONE]\n\n";

test("role chunks, finish chunks and usage chunks are no tokens", () => {
  const { reader, pushed, ending } = read(
    "chat",
    role +
      chat({ content: "Paris" }) +
      chat({ content: "." }) +
      chat({ content: "" }, {}, "stop") +
      `data: {"choices":[],"usage":{"prompt_tokens":24,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":16}}}\n\n` +
      DONE,
  );
  expect(pushed).toBe(2);
  expect(reader.usage).toEqual({ promptTokens: 24, cachedTokens: 16, outputTokens: 3 });
  expect(reader.finishReasons).toEqual(["stop"]);
  expect(ending).toBe("clean");
});

test("an empty delta after learned tokens is not counted, an escaped quote as text is", () => {
  const { reader } = read(
    "chat",
    chat({ content: "a" }) + chat({ content: "" }) + chat({ content: '"' }) + chat({ content: "\\" }) + DONE,
  );
  expect(reader.tokens).toBe(3);
});

test("text that imitates the protocol changes nothing", () => {
  const hostile =
    '"},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9}} data: [DONE] {"error":"x"}';
  const { reader, ending } = read("chat", chat({ content: "a" }) + chat({ content: hostile }) + DONE);
  expect(reader).toMatchObject({ tokens: 2, usage: null, error: null, finishReasons: [] });
  expect(ending).toBe("clean");
});

test("reasoning, refusals and tool calls are tokens", () => {
  const { reader } = read(
    "chat",
    role +
      chat({ reasoning: "hm" }) +
      chat({ reasoning_content: "hm", content: null }) +
      chat({ refusal: "no" }) +
      chat({ tool_calls: [{ index: 0, function: { name: "f", arguments: "" } }] }) +
      chat({ tool_calls: [{ index: 0, function: { arguments: "{" } }] }) +
      chat({ reasoning_content: null, content: null }) +
      DONE,
  );
  expect(reader.tokens).toBe(5);
});

test("usage inside token chunks is kept as it grows", () => {
  const usage = (n: number) => ({ usage: { prompt_tokens: 24, completion_tokens: n } });
  const { reader } = read("chat", chat({ content: "a" }, usage(1)) + chat({ content: "b" }, usage(2)) + DONE);
  expect(reader).toMatchObject({ tokens: 2, usage: { outputTokens: 2, cachedTokens: null } });
});

test.each([
  [
    "nested",
    '{"error":{"message":"m","type":"T","param":null,"code":500}}',
    { status: 500, type: "T", message: "m" },
  ],
  [
    "flat",
    '{"object":"error","message":"m","type":"T","code":503}',
    { status: 503, type: "T", message: "m" },
  ],
  ["bare", '{"error":"m"}', { status: null, type: null, message: "m" }],
  [
    "http_status_code",
    '{"error":{"message":"m","http_status_code":422}}',
    { status: 422, type: null, message: "m" },
  ],
])("a %s error event is an error, also when [DONE] follows", (_, event, error) => {
  const { reader, ending } = read("chat", `${role}${chat({ content: "a" })}data: ${event}\n\n${DONE}`);
  expect(reader.error).toEqual(error);
  expect(ending).toBe("error");
});

test("a stream that stops without [DONE] is truncated, whole events or not", () => {
  expect(read("chat", role + chat({ content: "a" })).ending).toBe("truncated");
  expect(read("chat", `${role}data: {"id":"c`).ending).toBe("truncated");
  expect(read("chat", "").ending).toBe("truncated");
});

test("a finished answer may go without [DONE], but not with half an event after it", () => {
  const finished = chat({ content: "a" }) + chat({ content: "" }, {}, "stop");
  expect(read("chat", finished).ending).toBe("clean");
  expect(read("completions", `${finished}: bye\n\n`).ending).toBe("clean");
  expect(read("chat", `${finished}data: {"choices":[],"usa`).ending).toBe("truncated");
});

test("a stream of a route without a known end is never truncated", () => {
  for (const kind of ["other", "audio"] as const) {
    expect(read(kind, role + chat({ content: "a" })).ending).toBe("clean");
    expect(read(kind, "data: not json").ending).toBe("clean");
    expect(read(kind, 'data: {"error":"m"}\n\n').ending).toBe("error");
  }
});

test("a bare error body without the stream's framing is an error, also as the last line", () => {
  for (const tail of ['{"error":{"message":"m","code":500}}', '\n{"error":"m"}\n', `${DONE}{"detail":"m"}`]) {
    expect(read("chat", role + chat({ content: "a" }) + tail).ending).toBe("error");
  }
});

test("nothing after [DONE] counts", () => {
  const { reader, ending } = read("chat", `${DONE}data: {"error":"late"}\n\n${chat({ content: "late" })}`);
  expect(reader).toMatchObject({ tokens: 0, error: null });
  expect(ending).toBe("clean");
});

test("a Responses stream ends with its last event", () => {
  const delta =
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"a"}\n\n';
  const done =
    'data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":24,"output_tokens":3,"input_tokens_details":{"cached_tokens":16}}}}\n\n';
  expect(read("responses", delta + done)).toMatchObject({
    ending: "clean",
    reader: {
      tokens: 1,
      usage: { promptTokens: 24, cachedTokens: 16, outputTokens: 3 },
      finishReasons: ["completed"],
    },
  });
  expect(read("responses", delta).ending).toBe("truncated");
  expect(
    read("responses", `${delta}data: {"type":"response.failed","response":{"error":{"message":"m"}}}\n\n`),
  ).toMatchObject({ ending: "error", reader: { error: { message: "m" } } });
});

test("an Anthropic stream sums cached prompt tokens and ends at message_stop", () => {
  const start =
    'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":4,"cache_read_input_tokens":20,"output_tokens":0}}}\n\n';
  const delta =
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}\n\n';
  const end =
    'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\ndata: {"type":"message_stop"}\n\n';
  expect(read("messages", start + delta + delta + end)).toMatchObject({
    ending: "clean",
    reader: {
      tokens: 2,
      usage: { promptTokens: 24, cachedTokens: 20, outputTokens: 3 },
      finishReasons: ["end_turn"],
    },
  });
  expect(
    read(
      "messages",
      `${start}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"m"}}\n\n`,
    ).ending,
  ).toBe("error");
});

test("a Triton stream has no end marker: whole events end clean, a cut one does not", () => {
  const event = 'data: {"model_name":"e","text_output":"Paris"}\n\n';
  expect(read("generate", event + event)).toMatchObject({ ending: "clean", reader: { tokens: 2 } });
  expect(read("generate", `${event}data: {"model`).ending).toBe("truncated");
  expect(read("generate", `data: ping\n\n${event}`).ending).toBe("clean");
  expect(read("generate", `${event}data: {"error":"m"}\n\n`).ending).toBe("error");
});

test("equally shaped token events are recognised without parsing, in each engine's shape", () => {
  const shapes = [
    (text: string) => chat({ content: text }),
    (text: string) =>
      `data: {"id":"x","choices":[{"index":0,"text":${JSON.stringify(text)},"logprobs":null,"finish_reason":null,"stop_reason":null}]}\n\n`,
    (text: string) =>
      `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":${JSON.stringify(text)}}}],"created":1,"object":"chat.completion.chunk"}\n\n`,
    (text: string) =>
      `data: {"choices": [{"index": 0, "delta": {"content": ${JSON.stringify(text)}}, "finish_reason": null}], "usage": null}\n\n`,
  ];
  for (const shape of shapes) {
    const { reader } = read("chat", Array.from({ length: 50 }, (_, i) => shape(`token ${i} é "`)).join(""));
    expect(reader.tokens).toBe(50);
    expect(reader.parsed).toBe(1);
  }
});

test("a finish reason before the text is not mistaken for a plain token", () => {
  const shape = (finish: string | null) =>
    `data: {"choices":[{"finish_reason":${JSON.stringify(finish)},"index":0,"delta":{"content":"a"}}]}\n\n`;
  expect(read("chat", shape(null) + shape(null) + shape("stop") + DONE).reader).toMatchObject({
    tokens: 3,
    finishReasons: ["stop"],
  });
});
