import { addressByName } from "../adapter-admin.ts";
import type { EngineDialect } from "../engine.ts";
import { classifyTrtllmServeAnswer } from "./classify-answer.ts";
import { readTrtllmServeMetrics } from "./metrics.ts";

export const trtllmServe: EngineDialect = {
  name: "trtllm-serve",
  title: "trtllm-serve",
  metrics: {
    // The JSON under /metrics is consumed by reading it, so it is no second choice here.
    paths: ["/prometheus/metrics"],
    port: null,
    read: readTrtllmServeMetrics,
    hint: "trtllm-serve serves /prometheus/metrics with return_perf_metrics: true.",
  },
  health: { path: "/health", timeoutMs: 5_000, isReady: (status) => status === 200 },
  modelsPath: "/v1/models",
  keepAliveMs: null,
  maxBodyBytes: null,
  abort: "Looks for a closed connection once a second.",
  adapters: { address: addressByName, admin: null },
  queuesWithoutLimit: true,
  classifyAnswer: classifyTrtllmServeAnswer,
};
