import { addressByName } from "../adapter-admin.ts";
import type { EngineDialect } from "../engine.ts";
import { classifyLlamacppAnswer } from "./classify-answer.ts";
import { readLlamacppMetrics } from "./metrics.ts";

export const llamacpp: EngineDialect = {
  name: "llamacpp",
  title: "llama.cpp server",
  metrics: {
    paths: ["/metrics"],
    port: null,
    read: readLlamacppMetrics,
    hint: "llama.cpp's server serves /metrics when started with --metrics.",
  },
  // 503 while the model loads.
  health: { path: "/health", timeoutMs: 5_000, isReady: (status) => status === 200 },
  modelsPath: "/v1/models",
  keepAliveMs: null,
  maxBodyBytes: null,
  abort: "Stops when its connection closes, unless x-conversation-id made the stream resumable.",
  adapters: { address: addressByName, admin: null },
  queuesWithoutLimit: true,
  classifyAnswer: classifyLlamacppAnswer,
};
