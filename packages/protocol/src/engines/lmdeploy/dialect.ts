import { addressByName } from "../adapter-admin.ts";
import { classifyByStatus } from "../answer-class.ts";
import type { EngineDialect } from "../engine.ts";
import { readLmdeployMetrics } from "./metrics.ts";

export const lmdeploy: EngineDialect = {
  name: "lmdeploy",
  title: "LMDeploy",
  metrics: {
    paths: ["/metrics"],
    port: null,
    read: readLmdeployMetrics,
    hint: "LMDeploy serves /metrics unless it was started with --disable-metrics.",
  },
  health: { path: "/health", timeoutMs: 5_000, isReady: (status) => status === 200 },
  modelsPath: "/v1/models",
  keepAliveMs: null,
  maxBodyBytes: null,
  abort: "Not known.",
  adapters: { address: addressByName, admin: null },
  queuesWithoutLimit: true,
  classifyAnswer: classifyByStatus,
};
