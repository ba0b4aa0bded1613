import { expect, test } from "vitest";
import { ENGINES } from "./catalog.ts";
import { readSlots } from "./llamacpp/slots.ts";

const nested = (type: string, message = "m") =>
  JSON.stringify({ error: { message, type, param: null, code: 400 } });

test("vLLM's load and unload are asked for by name and path", () => {
  const admin = ENGINES.vllm.adapters.admin;
  expect(admin?.load("sql", "/adapters/sql")).toEqual({
    path: "/v1/load_lora_adapter",
    body: '{"lora_name":"sql","lora_path":"/adapters/sql"}',
  });
  expect(admin?.unload("sql")).toEqual({ path: "/v1/unload_lora_adapter", body: '{"lora_name":"sql"}' });
});

test.each([
  ["load", 200, "Success: LoRA adapter 'sql' added successfully.", { ok: true, wasAlready: false }],
  ["load", 400, nested("InvalidUserInput"), { ok: true, wasAlready: true }],
  [
    "load",
    404,
    nested("NotFoundError", "no such path"),
    { ok: false, code: "not_found", message: "no such path" },
  ],
  ["load", 404, '{"detail":"Not Found"}', { ok: false, code: "unsupported" }],
  ["load", 404, nested("Not Found"), { ok: false, code: "unsupported" }],
  ["load", 500, nested("InternalServerError", "rank too big"), { ok: false, code: "engine_error" }],
  ["load", 502, "<html>", { ok: false, code: "engine_error" }],
  ["unload", 200, "Success", { ok: true, wasAlready: false }],
  ["unload", 404, nested("NotFoundError"), { ok: true, wasAlready: true }],
  ["unload", 404, '{"detail":"Not Found"}', { ok: false, code: "unsupported" }],
] as const)("vLLM answering a %s with %i %s", (action, status, body, outcome) => {
  expect(ENGINES.vllm.adapters.admin?.readAnswer(action, status, body)).toMatchObject(outcome);
});

test.each([
  [
    200,
    '{"success":true,"error_message":null,"loaded_adapters":{"a":"/a"}}',
    { ok: true, wasAlready: false },
  ],
  [
    400,
    '{"success":false,"error_message":"already loaded","loaded_adapters":null}',
    { ok: false, code: "refused" },
  ],
  [200, '{"success":false,"error_message":"no"}', { ok: false, code: "refused", message: "no" }],
  [200, "not json", { ok: false, code: "refused" }],
  [404, "", { ok: false, code: "unsupported" }],
  [500, "boom", { ok: false, code: "engine_error", message: "boom" }],
])("SGLang answering a load with %i %s", (status, body, outcome) => {
  expect(ENGINES.sglang.adapters.admin?.readAnswer("load", status, body)).toMatchObject(outcome);
});

test("an engine's long message is cut", () => {
  const outcome = ENGINES.vllm.adapters.admin?.readAnswer("load", 500, "x".repeat(10_000));
  expect(JSON.stringify(outcome).length).toBeLessThan(700);
});

test("every engine addresses an adapter, and only some manage them", () => {
  expect(ENGINES.vllm.adapters.address("base", "sql")).toEqual({ model: "sql", loraPath: null });
  expect(ENGINES.sglang.adapters.address("base", "sql")).toEqual({ model: "base:sql", loraPath: null });
  expect(ENGINES.tgi.adapters.admin).toBeNull();
});

test("llama.cpp's slots are counted, and any other document is not", () => {
  const slot = (isProcessing: boolean) => ({
    id: 0,
    n_ctx: 16384,
    is_processing: isProcessing,
    speculative: false,
  });
  expect(readSlots(JSON.stringify([slot(true), slot(true), slot(false), slot(true)]))).toEqual({
    total: 4,
    busy: 3,
    contextTokens: 65_536,
  });
  for (const body of ["[]", "{}", "", '[{"id":0}]', '{"error":{"code":501}}']) {
    expect(readSlots(body)).toBeNull();
  }
});
