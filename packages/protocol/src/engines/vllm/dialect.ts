import { addressByName } from "../adapter-admin.ts";
import type { EngineDialect } from "../engine.ts";
import { vllmAdapterAdmin } from "./adapter-admin.ts";
import { classifyVllmAnswer } from "./classify-answer.ts";
import { readVllmMetrics } from "./metrics.ts";

export const vllm: EngineDialect = {
  name: "vllm",
  title: "vLLM",
  metrics: {
    paths: ["/metrics"],
    port: null,
    read: readVllmMetrics,
    hint: "vLLM serves /metrics on its serving port; look for a path prefix or a proxy in front.",
  },
  // 200 while asleep, paused, draining or full: only the metrics tell a sleeping engine.
  health: { path: "/health", timeoutMs: 5_000, isReady: (status) => status === 200 },
  modelsPath: "/v1/models",
  keepAliveMs: 5_000,
  maxBodyBytes: null,
  abort: "Frees the slot as soon as its connection closes.",
  adapters: { address: addressByName, admin: vllmAdapterAdmin },
  queuesWithoutLimit: true,
  classifyAnswer: classifyVllmAnswer,
};
