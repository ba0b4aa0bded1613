import { expect, test } from "vitest";
import { routeKindOf } from "./route-kind.ts";

test.each([
  ["/v1/chat/completions?a=1", "chat"],
  ["/v2/models/m/versions/1/generate_stream", "generate"],
  ["/v1/responses/resp_1/cancel", "other"],
  ["/v1/chat/completions/render", "other"],
  ["/v1/loads", "other"],
])("%s is of kind %s", (path, kind) => {
  expect(routeKindOf(path)).toBe(kind);
});

test.each([
  "/v1/load_lora_adapter",
  "/v1/unload_lora_adapter?x=1",
  "/v1/%75nload_lora_adapter",
  "/v1/UNLOAD_lora_adapter",
  "/v1/unload_lora_adapter;x",
  "/v1/models/m/unload",
  "/v1/sleep",
  "/v1/update_weights_from_disk",
  "/sleep",
  "/v1/",
  "/metrics",
])("%s is no part of the data plane", (path) => {
  expect(routeKindOf(path)).toBeNull();
});
