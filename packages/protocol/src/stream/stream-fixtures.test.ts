import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "node:process";
import { expect, test } from "vitest";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import type { RouteKind } from "../openai/route-kind.ts";
import { openStreamReader } from "./open-stream-reader.ts";

/** Recorded shapes of engines' streams, when they are at hand beside the repository. */
const folder = resolve(
  env["EVENKEEL_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared"),
  "fixtures/openai",
);
const isPresent = existsSync(folder);

const OWN_SAMPLE = encodeUtf8(
  '\ufeffdata: {"choices":[{"index":0,"delta":{"content":"h\u00e9 \ud83d\udc69"},"finish_reason":null}]}\r\n\r\n: ping\r\rdata: {"choices":[],\ndata: "usage":{"prompt_tokens":3,"completion_tokens":1}}\n\ndata: [DONE]',
);

function kindOf(file: string): RouteKind {
  if (file.includes("messages-")) return "messages";
  if (file.includes("responses-")) return "responses";
  return file.includes("generate-") ? "generate" : "chat";
}

function streams(): [string, Uint8Array][] {
  if (!isPresent) {
    return [["own", OWN_SAMPLE]];
  }
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sse"))
    .map((file) => [file, new Uint8Array(readFileSync(resolve(folder, file)))]);
}

function read(kind: RouteKind, chunks: readonly Uint8Array[]) {
  const reader = openStreamReader(kind);
  for (const chunk of chunks) {
    reader.push(chunk);
  }
  const ending = reader.end();
  const { tokens, usage, error, finishReasons } = reader;
  return { tokens, usage, error, finishReasons, ending };
}

test.each(streams())("%s reads the same however it is cut", (file, bytes) => {
  const kind = kindOf(file);
  const whole = read(kind, [bytes]);
  for (let at = 0; at <= bytes.length; at++) {
    expect(read(kind, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  }
  expect(
    read(
      kind,
      Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
    ),
  ).toEqual(whole);
});

const usage24 = { promptTokens: 24, cachedTokens: 16, outputTokens: 3 };

/** tokens, ending, error status, usage */
const EXPECTED: Readonly<Record<string, readonly [number, string, (number | null | undefined)?, object?]>> = {
  "vllm/chat-stream-usage.sse": [2, "clean", undefined, usage24],
  "vllm/chat-stream-no-usage.sse": [2, "clean"],
  "vllm/chat-stream-continuous-usage.sse": [2, "clean", undefined, { ...usage24, cachedTokens: null }],
  "vllm/chat-stream-reasoning.sse": [3, "clean"],
  "vllm/chat-stream-toolcalls.sse": [
    4,
    "clean",
    undefined,
    { promptTokens: 211, cachedTokens: null, outputTokens: 37 },
  ],
  "vllm/chat-stream-midstream-error.sse": [1, "error", 500],
  "vllm/chat-stream-midstream-error-v0.10-flat.sse": [1, "error", 500],
  "vllm/chat-stream-engine-died-truncated.sse": [1, "truncated"],
  "vllm/completion-stream.sse": [
    4,
    "clean",
    undefined,
    { promptTokens: 6, cachedTokens: null, outputTokens: 4 },
  ],
  "vllm/messages-stream.sse": [1, "clean", undefined, { ...usage24, cachedTokens: null }],
  "vllm/messages-stream-error.sse": [0, "error", null],
  "vllm/responses-stream.sse": [1, "clean", undefined, usage24],
  "sglang/chat-stream-usage.sse": [2, "clean", undefined, usage24],
  "sglang/chat-stream-midstream-abort.sse": [1, "error", 503],
  "sglang/chat-stream-user-abort.sse": [1, "clean"],
  "sglang/chat-stream-queue-full-first-event.sse": [0, "error", 503],
  "tgi/chat-stream-usage.sse": [2, "clean", undefined, { ...usage24, cachedTokens: null }],
  "tgi/chat-stream-midstream-error.sse": [1, "error", 422],
  "llamacpp/chat-stream-usage.sse": [2, "clean", undefined, usage24],
  "llamacpp/chat-stream-midstream-error.sse": [1, "error", 500],
  "trtllm/chat-stream-usage.sse": [2, "clean", undefined, { ...usage24, cachedTokens: 0 }],
  "trtllm/chat-stream-cut-no-done.sse": [1, "truncated"],
  "triton/generate-stream.sse": [2, "clean"],
  "triton/generate-stream-midstream-error.sse": [1, "error", null],
  "triton/openai-chat-stream.sse": [1, "clean", undefined, { ...usage24, cachedTokens: null }],
  "framing/crlf-and-cr.sse": [0, "clean"],
  "framing/done-then-more.sse": [0, "clean"],
  "framing/multiline-data-event-id-retry.sse": [0, "clean"],
  "framing/no-final-blank-line.sse": [0, "clean"],
  "framing/utf8-split-points.sse": [1, "clean"],
};

test("every recorded stream gives its tokens, usage, error and ending", () => {
  if (!isPresent) {
    expect(read("chat", [OWN_SAMPLE])).toMatchObject({ tokens: 1, ending: "clean" });
    return;
  }
  for (const [file, [tokens, ending, status, usage]] of Object.entries(EXPECTED)) {
    const result = read(kindOf(file), [new Uint8Array(readFileSync(resolve(folder, file)))]);
    expect(result, file).toMatchObject({ tokens, ending });
    expect(result.error?.status, file).toBe(status);
    if (usage !== undefined) {
      expect(result.usage, file).toEqual(usage);
    }
  }
});
