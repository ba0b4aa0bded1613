import { expect, test } from "vitest";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { parseOpenAiRequest } from "./parse-request.ts";
import { partText } from "./part-text.ts";

const CHAT = "/v1/chat/completions";

function parse(path: string, body: unknown, headers = {}) {
  return parseOpenAiRequest(
    path,
    encodeUtf8(typeof body === "string" ? body : JSON.stringify(body)),
    headers,
  );
}

function request(path: string, body: unknown, headers = {}) {
  const result = parse(path, body, headers);
  if (!result.ok) {
    throw new Error(`refused: ${result.problem.message}`);
  }
  return result.request;
}

function problem(path: string, body: unknown, headers = {}) {
  const result = parse(path, body, headers);
  return result.ok ? null : result.problem;
}

const hello = { model: "m", messages: [{ role: "user", content: "hello" }] };

test("a chat request yields model, streaming, limits and the prompt as the engine renders it", () => {
  const parsed = request(CHAT, {
    model: "meta-llama/Llama-3.1-8B-Instruct",
    messages: [
      { role: "system", content: "You are terse." },
      { role: "user", content: [{ type: "text", text: "Capital of France?" }] },
    ],
    tools: [{ type: "function", function: { name: "f" } }],
    max_tokens: 32,
    n: 2,
    stream: true,
    stream_options: { include_usage: true },
    cache_salt: "tenant-a",
    priority: 0,
  });
  expect(parsed).toMatchObject({
    kind: "chat",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    isStreaming: true,
    wantsUsage: true,
    answerCount: 2,
    maxOutputTokens: 32,
    cacheSalt: "tenant-a",
    priority: 0,
  });
  expect(parsed.prompts).toHaveLength(1);
  expect(parsed.prompts[0]?.parts.map(partText)).toEqual([
    "\u0001tools\n",
    '[{"type":"function","function":{"name":"f"}}]',
    "\u0001system\n",
    "You are terse.",
    "\u0001user\n",
    "Capital of France?",
  ]);
});

test("absent and null options take their defaults", () => {
  const parsed = request(CHAT, { ...hello, stream: null, max_tokens: null, stream_options: null });
  expect(parsed).toMatchObject({
    isStreaming: false,
    wantsUsage: false,
    maxOutputTokens: null,
    answerCount: 1,
  });
});

test("a limit of -1 is no limit", () => {
  expect(request(CHAT, { ...hello, max_tokens: -1 }).maxOutputTokens).toBeNull();
});

test("routes of free shape pass with nothing but a model", () => {
  for (const path of ["/v1/embeddings", "/v1/rerank", "/score", "/tokenize", "/v1/anything"]) {
    expect(request(path, { model: "m", query: { content: [{ type: "image_url" }] } })).toMatchObject({
      model: "m",
    });
  }
  expect(request("/v1/completions", { model: "m", prompt_embeds: "aGk=" }).prompts).toEqual([]);
  expect(request("/v1/responses", { model: "m", prompt: { id: "p" } }).model).toBe("m");
});

test("max_completion_tokens wins over max_tokens", () => {
  expect(request(CHAT, { ...hello, max_tokens: 5, max_completion_tokens: 7 }).maxOutputTokens).toBe(7);
});

test("a completion prompt may be text, token ids, or a batch of either", () => {
  const parts = (prompt: unknown) =>
    request("/v1/completions", { model: "m", prompt }).prompts.map((sequence) => sequence.parts);
  expect(parts("a")).toEqual([["a"]]);
  expect(parts([1, 2])).toEqual([[[1, 2]]]);
  expect(parts(["a", "b"])).toEqual([["a"], ["b"]]);
  expect(parts([[1], [2, 3]])).toEqual([[[1]], [[2, 3]]]);
});

test("media counts and stands as a digest that tells different media apart", () => {
  const image = (data: string) =>
    request(CHAT, {
      model: "m",
      messages: [
        {
          role: "user",
          content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }],
        },
      ],
    }).prompts[0];
  const long = "A".repeat(300_000);
  const one = image(long);
  const other = image(`${long.slice(0, 150_000)}${"B".repeat(100)}${long.slice(150_100)}`);
  expect(one?.mediaCount).toBe(1);
  expect(one?.parts.join("").length).toBeLessThan(200);
  expect(one).toEqual(image(long));
  expect(one).not.toEqual(other);
});

test("session hints come from both headers and three body fields", () => {
  const parsed = request(
    CHAT,
    { ...hello, prompt_cache_key: "k", conversation: { id: "c" }, user: " u " },
    { "x-session-id": "s", "x-claude-code-session-id": ["cc"] },
  );
  expect(parsed.sessionHints).toEqual({
    "x-session-id": "s",
    "x-claude-code-session-id": "cc",
    prompt_cache_key: "k",
    conversation: "c",
    user: "u",
  });
});

test("an oversized session hint costs bounded memory and stays distinct", () => {
  const hint = (user: string) => request(CHAT, { ...hello, user }).sessionHints.user ?? "";
  expect(hint("x".repeat(100_000)).length).toBeLessThan(64);
  expect(hint("x".repeat(1000))).not.toBe(hint("x".repeat(1001)));
});

test("responses, embeddings, rerank, score, tokenize and unknown routes give their prompt", () => {
  expect(
    request("/v1/responses", {
      model: "m",
      instructions: "be kind",
      input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
      max_output_tokens: 9,
      previous_response_id: "resp_1",
    }),
  ).toMatchObject({
    kind: "responses",
    maxOutputTokens: 9,
    previousResponseId: "resp_1",
    prompts: [{ parts: ["\u0001system\n", "be kind", "\u0001user\n", "hi"] }],
  });
  expect(request("/v1/embeddings", { model: "m", input: ["a", "b"] }).prompts).toHaveLength(2);
  expect(request("/v1/rerank", { model: "m", query: "q", documents: ["d"] }).prompts[0]?.parts).toEqual([
    "q",
  ]);
  expect(request("/score", { model: "m", text_1: "q", text_2: "d" }).prompts[0]?.parts).toEqual(["q"]);
  expect(request("/tokenize", { model: "m", prompt: "p" }).prompts[0]?.parts).toEqual(["p"]);
  expect(request("/v1/moderations", { model: "m", input: { odd: true } })).toMatchObject({
    kind: "other",
    prompts: [],
  });
});

test.each([
  ["not an object", "[1]", "body"],
  ["empty", "", "body"],
  ["byte order mark", `\ufeff${JSON.stringify(hello)}`, "body"],
  ["cut short", '{"model":"m","messages":[', "body"],
  ["trailing text", `${JSON.stringify(hello)} x`, "body"],
  ["no model", { messages: hello.messages }, "model"],
  ["model of wrong type", { ...hello, model: 7 }, "model"],
  ["empty model", { ...hello, model: " " }, "model"],
  ["endless model", { ...hello, model: "m".repeat(1000) }, "model"],
  ["no messages", { model: "m" }, "messages"],
  ["empty messages", { model: "m", messages: [] }, "messages"],
  ["message of wrong type", { model: "m", messages: ["hi"] }, "messages[0]"],
  ["message without role", { model: "m", messages: [{ content: "x" }] }, "messages[0].role"],
  ["content of wrong type", { model: "m", messages: [{ role: "user", content: 3 }] }, "messages[0].content"],
  [
    "content part of wrong type",
    { model: "m", messages: [{ role: "user", content: [3] }] },
    "messages[0].content[0]",
  ],
  ["stream of wrong type", { ...hello, stream: "true" }, "stream"],
  [
    "include_usage of wrong type",
    { ...hello, stream_options: { include_usage: 1 } },
    "stream_options.include_usage",
  ],
  ["negative limit", { ...hello, max_tokens: -2 }, "max_tokens"],
  ["huge limit", '{"model":"m","max_tokens":1e400,"messages":[{"role":"user"}]}', "max_tokens"],
  ["zero answers", { ...hello, n: 0 }, "n"],
  ["tools of wrong type", { ...hello, tools: {} }, "tools"],
])("%s is refused and names the field", (_, body, field) => {
  expect(problem(CHAT, body)).toMatchObject({ code: "invalid_request", field });
});

test("a mixed or negative token list is refused", () => {
  expect(problem("/v1/completions", { model: "m", prompt: [1, "a"] })?.field).toBe("prompt");
  expect(problem("/v1/completions", { model: "m", prompt: [["a"]] })?.field).toBe("prompt[0]");
  expect(problem("/v1/completions", { model: "m", prompt: [-1] })?.field).toBe("prompt");
  expect(problem("/v1/completions", { model: "m", prompt: [] })?.field).toBe("prompt");
});

test("invalid UTF-8 and compressed bodies are refused", () => {
  const result = parseOpenAiRequest(CHAT, new Uint8Array([0x7b, 0xff, 0x7d]), {});
  expect(result).toMatchObject({ ok: false, problem: { field: "body" } });
  expect(problem(CHAT, hello, { "content-encoding": "gzip" })?.field).toBe("content-encoding");
});

test("a syntax error never quotes the prompt", () => {
  expect(problem(CHAT, '{"model":"m","messages":"my secret" oops}')?.message).not.toContain("secret");
  expect(problem(CHAT, "secret")?.message).not.toContain("secret");
});

test("KV transfer instructions from a client are refused, cache hints pass", () => {
  expect(problem(CHAT, { ...hello, kv_transfer_params: { do_remote_prefill: true } })?.field).toBe(
    "kv_transfer_params.do_remote_prefill",
  );
  expect(problem(CHAT, { ...hello, bootstrap_host: "10.0.0.1" })?.field).toBe("bootstrap_host");
  expect(
    parse(CHAT, { ...hello, kv_transfer_params: { "lmcache.skip_save": true }, bootstrap_room: null }).ok,
  ).toBe(true);
});

test("deep nesting is refused wherever it stands, and never overflows the stack", () => {
  const nested = (levels: number, field: string) =>
    `{"model":"m","messages":[{"role":"user","content":"x"}],"${field}":[${"[".repeat(levels)}${"]".repeat(levels)}]}`;
  for (const field of ["tools", "extra"]) {
    expect(problem(CHAT, nested(200_000, field))?.message).toContain("500 levels");
    expect(parse(CHAT, nested(400, field)).ok).toBe(true);
  }
});

test("of duplicate keys the last wins", () => {
  expect(request(CHAT, '{"model":"a","messages":[{"role":"user"}],"model":"b"}').model).toBe("b");
});

test("long values are read wherever short ones are", () => {
  const long = "é".repeat(200);
  expect(
    request(CHAT, {
      model: long,
      messages: [{ role: long, content: [{ type: "text", text: long }] }],
      user: long,
      lora_path: long,
      cache_salt: [long, "x"],
    }),
  ).toMatchObject({
    model: long,
    sessionHints: { user: long },
    loraPath: long,
    cacheSalt: `${long}\u0001x`,
  });
  expect(request("/v1/responses", { model: "m", previous_response_id: long }).previousResponseId).toBe(long);
  const broken = `{"model":"${"x".repeat(300)}\\x","messages":[{"role":"user"}]}`;
  expect(problem(CHAT, broken)).toMatchObject({ field: "model" });
});

test("an engine's answer to broken characters inside a long prompt is the engine's affair", () => {
  const prompt = `${"x".repeat(300)}\n`;
  expect(parse(CHAT, `{"model":"m","messages":[{"role":"user","content":"${prompt}"}]}`).ok).toBe(true);
});
