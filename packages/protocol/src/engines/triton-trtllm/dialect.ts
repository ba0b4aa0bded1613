import { addressByName } from "../adapter-admin.ts";
import type { EngineDialect } from "../engine.ts";
import { classifyTritonAnswer } from "./classify-answer.ts";
import { readTritonMetrics } from "./metrics.ts";

export const tritonTrtllm: EngineDialect = {
  name: "triton-trtllm",
  title: "Triton with TensorRT-LLM",
  metrics: {
    paths: ["/metrics"],
    port: 8002,
    read: readTritonMetrics,
    hint: "Triton serves /metrics on a port of its own, 8002 by default.",
  },
  // Not ready is 400 here, not 503.
  health: { path: "/v2/health/ready", timeoutMs: 5_000, isReady: (status) => status === 200 },
  modelsPath: null,
  keepAliveMs: null,
  // --http-max-input-size
  maxBodyBytes: 64 * 1024 * 1024,
  abort: "Cancels when its connection closes, if the backend supports it.",
  adapters: { address: addressByName, admin: null },
  queuesWithoutLimit: false,
  classifyAnswer: classifyTritonAnswer,
};
