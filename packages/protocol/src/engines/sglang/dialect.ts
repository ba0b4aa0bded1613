import type { EngineDialect } from "../engine.ts";
import { sglangAdapterAddress } from "./adapter-address.ts";
import { sglangAdapterAdmin } from "./adapter-admin.ts";
import { classifySglangAnswer } from "./classify-answer.ts";
import { readSglangMetrics } from "./metrics.ts";

export const sglang: EngineDialect = {
  name: "sglang",
  title: "SGLang",
  metrics: {
    paths: ["/v1/loads?include=all&format=prometheus", "/metrics"],
    port: null,
    read: readSglangMetrics,
    hint: "SGLang serves /v1/loads in recent versions, and /metrics when started with --enable-metrics.",
  },
  // /health generates a token and polls once a second, so a healthy answer takes a second and may take twenty.
  health: { path: "/health", timeoutMs: 20_000, isReady: (status) => status === 200 },
  modelsPath: "/v1/models",
  keepAliveMs: 5_000,
  maxBodyBytes: null,
  abort: "Notices a closed stream about two seconds later; slots stay taken until then.",
  adapters: { address: sglangAdapterAddress, admin: sglangAdapterAdmin },
  queuesWithoutLimit: false,
  classifyAnswer: classifySglangAnswer,
};
