import { expect, test } from "vitest";
import { pathProblem } from "./path-problem.ts";

test.each([
  "/v1/../sleep?level=2",
  "/v1/./models",
  "/v1/..",
  "/v1/%2e%2e/flush_cache",
  "/v1/%2E./flush_cache",
  "/v1/%252e%252e/flush_cache",
  "/v1/x%2f..%2f..%2fsleep",
  "/v1/..;a=b/sleep",
  "/v1/..\\sleep",
  "/v1/..%5csleep",
  "/v1//sleep",
  "/v1/chat/completions/",
  "/v1/unload_lora_adapter#/x",
  "/v1/a%00b",
  "/v1/%zz",
  "/v1/%ff",
  "/v1/%2525252525252e",
])("%s is not passed on", (path) => {
  expect(pathProblem(path)).toEqual(expect.any(String));
});

test.each([
  "/",
  "/v1/chat/completions",
  "/v1/chat/completions?next=../a//b#c",
  "/v1/responses/resp_1/cancel",
  "/v2/models/a.b-c/versions/1/generate_stream",
  "/v2/models/org%2Fm%C3%A4/generate",
  "/v1/...",
  "/v1/..a",
])("%s is plain", (path) => {
  expect(pathProblem(path)).toBeNull();
});
