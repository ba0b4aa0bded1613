import { ENGINES } from "@evenkeel/protocol/engines/catalog";
import { expect, test } from "vitest";
import { type ArrivedRequest, outgoingRequest } from "./outgoing-request.ts";

const body = Buffer.from('{ "messages":[], "model" : "my-lora", "seed":12345678901234567890 }');
const arrived: ArrivedRequest = {
  kind: "chat",
  path: "/v1/chat/completions",
  headers: {},
  body,
  model: "my-lora",
  hasLoraPath: false,
};
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("a base model's request is the very bytes that arrived", () => {
  const target = { baseModel: "base", adapter: null };
  for (const dialect of Object.values(ENGINES))
    expect(outgoingRequest(arrived, target, dialect).body).toBe(body);
});

test("an adapter keeps its name where the engine takes it as a model", () => {
  expect(outgoingRequest(arrived, { baseModel: "base", adapter: "my-lora" }, ENGINES.vllm).body).toBe(body);
});

test("an engine with another way to name adapters gets it, and every other byte as it was", () => {
  const sent = outgoingRequest(arrived, { baseModel: "base", adapter: "my-lora" }, ENGINES.sglang);
  expect(text(sent.body)).toBe('{ "messages":[], "model" : "base:my-lora", "seed":12345678901234567890 }');
  const colon = outgoingRequest(arrived, { baseModel: "ba:se", adapter: "my-lora" }, ENGINES.sglang);
  expect(JSON.parse(text(colon.body))).toMatchObject({ model: "ba:se", lora_path: "my-lora" });
  expect(text(colon.body)).toContain("12345678901234567890");
});
