import { expect, test } from "vitest";
import { classifyStreamError } from "./answer-class.ts";
import { ENGINES } from "./catalog.ts";
import type { EngineName } from "./engine-name.ts";

test.each<[EngineName, number, string, string]>([
  ["vllm", 200, "{}", "ok"],
  ["vllm", 400, '{"error":{"message":"m","type":"BadRequestError","param":null,"code":400}}', "client_error"],
  ["vllm", 401, '{"error":"Unauthorized"}', "client_error"],
  [
    "vllm",
    404,
    '{"error":{"message":"m","type":"NotFoundError","param":"model","code":404}}',
    "model_missing",
  ],
  ["vllm", 500, '{"error":{"message":"m","type":"InternalServerError","code":500}}', "engine_error"],
  ["vllm", 503, '{"error":"The model is currently scaling."}', "not_serving"],
  ["vllm", 503, "", "engine_error"],
  ["sglang", 400, '{"object":"error","message":"m","type":"Bad Request","code":400}', "client_error"],
  ["sglang", 503, '{"object":"error","message":"m","type":"503","code":503}', "saturated"],
  ["sglang", 503, '{"type":"error","error":{"type":"overloaded_error","message":"m"}}', "saturated"],
  ["tgi", 429, '{"error":"m","error_type":"overloaded"}', "saturated"],
  ["tgi", 422, '{"error":"m","error_type":"validation"}', "client_error"],
  ["tgi", 424, '{"error":"m","error_type":"generation"}', "engine_error"],
  ["tgi", 413, "length limit exceeded", "client_error"],
  [
    "llamacpp",
    503,
    '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}',
    "not_serving",
  ],
  [
    "llamacpp",
    400,
    '{"error":{"code":400,"message":"m","type":"exceed_context_size_error"}}',
    "client_error",
  ],
  ["llamacpp", 501, '{"error":{"code":501,"message":"m","type":"not_supported_error"}}', "client_error"],
  ["triton-trtllm", 503, '{"error":"m"}', "saturated"],
  ["triton-trtllm", 400, '{"error":"m"}', "client_error"],
  ["triton-trtllm", 500, '{"error":"m"}', "engine_error"],
  [
    "trtllm-serve",
    400,
    '{"object":"error","message":"m","type":"BadRequestError","code":400}',
    "client_error",
  ],
  ["trtllm-serve", 503, "LLM is unavailable.", "engine_error"],
])("%s answering %i %s is %s", (engine, status, body, expected) => {
  expect(ENGINES[engine].classifyAnswer(status, body)).toBe(expected);
});

test("only an explicit overload inside a stream is saturation", () => {
  const classify = (status: number | null) => classifyStreamError({ status, type: null, message: "m" });
  expect(classify(503)).toBe("saturated");
  expect(classify(500)).toBe("engine_error");
  expect(classify(422)).toBe("engine_error");
  expect(classify(null)).toBe("engine_error");
});

test("a client's own mistake is never an engine's failure, whatever the engine", () => {
  for (const engine of Object.values(ENGINES)) {
    for (const status of [400, 401, 403, 405, 413, 415, 422]) {
      expect(engine.classifyAnswer(status, "")).toBe("client_error");
    }
  }
});
