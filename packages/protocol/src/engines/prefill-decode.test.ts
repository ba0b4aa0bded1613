import { expect, test } from "vitest";
import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { sglangAdapterAddress } from "./sglang/adapter-address.ts";
import { bootstrapBody } from "./sglang/bootstrap.ts";
import { decodeBody, prefillBody, transferParams } from "./vllm/prefill-decode.ts";

const parsed = (bytes: Uint8Array) => JSON.parse(decodeUtf8(bytes) ?? "");
const client = encodeUtf8(
  '{"model":"m","messages":[{"role":"user","content":"…"}],"max_tokens":256,"min_tokens":8,"stream":true,"stream_options":{"include_usage":true},"seed":12345678901234567890}',
);
const KEEP = {
  do_remote_decode: true,
  do_remote_prefill: false,
  remote_engine_id: null,
  remote_block_ids: null,
  remote_host: null,
  remote_port: null,
};

test("the prefill leg asks vLLM for one token, not streamed, and to keep the blocks", () => {
  const body = prefillBody(client, "chat");
  expect(parsed(body)).toEqual({
    model: "m",
    messages: [{ role: "user", content: "…" }],
    max_tokens: 1,
    stream: false,
    seed: parsed(client).seed,
    kv_transfer_params: KEEP,
  });
  expect(decodeUtf8(body)).toContain('"seed":12345678901234567890');
});

test("every limit in use is set to one, and the Responses API has its own", () => {
  expect(parsed(prefillBody(encodeUtf8('{"max_completion_tokens":9}'), "chat"))).toMatchObject({
    max_tokens: 1,
    max_completion_tokens: 1,
  });
  const responses = parsed(prefillBody(encodeUtf8('{"input":"x"}'), "responses"));
  expect(responses).toMatchObject({ max_output_tokens: 1 });
  expect(responses).not.toHaveProperty("max_tokens");
});

test("the decode leg carries the transfer parameters byte for byte, unknown keys and large numbers included", () => {
  const params =
    '{"do_remote_prefill":true, "remote_block_ids":[[17,18]],"remote_request_id":"x","new_key":9007199254740993}';
  const answer = encodeUtf8(
    `{"choices":[{"finish_reason":"length"}],"kv_transfer_params": ${params} ,"usage":null}`,
  );
  const found = transferParams(answer);
  expect(found === null ? null : decodeUtf8(found)).toBe(params);
  expect(decodeUtf8(decodeBody(client, found))).toContain(`"kv_transfer_params":${params}`);
});

test("without transfer parameters the decode leg is the client's body", () => {
  for (const answer of [
    '{"choices":[]}',
    '{"kv_transfer_params":null}',
    '{"kv_transfer_params":[]}',
    "",
    "not json",
  ]) {
    expect(transferParams(encodeUtf8(answer))).toBeNull();
  }
  expect(parsed(decodeBody(client, null))).toEqual(parsed(client));
});

test("SGLang's pair gets one body with host, port and room", () => {
  const body = bootstrapBody(client, { host: "10.0.3.17", port: 8998, room: 42 }, 1);
  expect(parsed(body)).toEqual({
    ...parsed(client),
    bootstrap_host: "10.0.3.17",
    bootstrap_port: 8998,
    bootstrap_room: 42,
  });
});

test("a batch gets one host, port and room of its own per prompt", () => {
  expect(
    parsed(bootstrapBody(encodeUtf8('{"prompt":["a","b"]}'), { host: "h", port: 1, room: 11 }, 2)),
  ).toEqual({
    prompt: ["a", "b"],
    bootstrap_host: ["h", "h"],
    bootstrap_port: [1, 1],
    bootstrap_room: [11, 12],
  });
});

test("a client's own pairing fields are replaced, and a room that would lose precision is refused", () => {
  const hostile = encodeUtf8('{"bootstrap_host":"evil","bootstrap_room":1,"bootstrap_\\u0068ost":"evil"}');
  expect(decodeUtf8(bootstrapBody(hostile, { host: "h", port: 1, room: 2 }, 1))).toBe(
    '{"bootstrap_host":"h","bootstrap_port":1,"bootstrap_room":2}',
  );
  expect(() => bootstrapBody(client, { host: "h", port: 1, room: 2 ** 53 }, 1)).toThrow(RangeError);
  expect(() => bootstrapBody(client, { host: "h", port: 1, room: 2 ** 53 - 1 }, 2)).toThrow(RangeError);
});

test("SGLang adapters are addressed so that the base model cannot run in their place", () => {
  expect(sglangAdapterAddress("Qwen/Qwen3-8B", "sql-lora")).toEqual({
    model: "Qwen/Qwen3-8B:sql-lora",
    loraPath: null,
  });
  expect(sglangAdapterAddress("qwen3:8b", "sql-lora")).toEqual({ model: "qwen3:8b", loraPath: "sql-lora" });
});
