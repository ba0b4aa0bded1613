import { parseOpenAiRequest } from "@evenkeel/protocol/openai/parse-request";
import { expect, test } from "vitest";
import { readInferenceRequest } from "./read-inference-request.ts";

const KEYS = ["header:x-session-id", "body:prompt_cache_key", "body:user"];

function read(body: Record<string, unknown>, headers: Record<string, string> = {}, sessionKeys = KEYS) {
  const path = "prompt" in body ? "/v1/completions" : "/v1/chat/completions";
  const parsed = parseOpenAiRequest(path, Buffer.from(JSON.stringify({ model: "m", ...body })), headers);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const context = {
    id: "dec_x",
    arrivedAtMs: 5,
    sessionKeys,
    sessionHashKey: "k".repeat(16),
    estimateTokens: (units: number) => Math.ceil(units / 4),
  };
  return readInferenceRequest(parsed.request, context);
}

const messages = [{ role: "user", content: "Hello there" }];

test("the session key is the first of the policy's sources, and only its keyed hash goes on", () => {
  const byHeader = read({ messages, user: "u1", prompt_cache_key: "p1" }, { "x-session-id": "s1" });
  const byBody = read({ messages, user: "u1", prompt_cache_key: "p1" });
  const byUser = read({ messages, user: "u1", prompt_cache_key: "p1" }, {}, ["body:user"]);
  expect(new Set([byHeader.sessionKey, byBody.sessionKey, byUser.sessionKey]).size).toBe(3);
  expect(byHeader.sessionKey).toMatch(/^[0-9a-f]{16}$/);
  expect(read({ messages }).sessionKey).toBeNull();
});

test("a prompt of token ids has an exact length, text an estimated one", () => {
  expect(read({ prompt: [1, 2, 3, 4, 5] })).toMatchObject({ promptTokens: 5, promptTokensExact: true });
  expect(read({ prompt: "x".repeat(400) })).toMatchObject({ promptTokens: 100, promptTokensExact: false });
});

test("prompts that begin alike share their leading blocks", () => {
  const start = "word ".repeat(400);
  const a = read({ prompt: `${start}one` }).prefix;
  const b = read({ prompt: `${start}two` }).prefix;
  expect(a.count).toBeGreaterThan(3);
  expect([...a.hashes.slice(0, 6)]).toEqual([...b.hashes.slice(0, 6)]);
});
