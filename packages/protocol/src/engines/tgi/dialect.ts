import { addressByName } from "../adapter-admin.ts";
import type { EngineDialect } from "../engine.ts";
import { classifyTgiAnswer } from "./classify-answer.ts";
import { readTgiMetrics } from "./metrics.ts";

export const tgi: EngineDialect = {
  name: "tgi",
  title: "TGI",
  metrics: {
    paths: ["/metrics"],
    port: null,
    read: readTgiMetrics,
    hint: "TGI serves /metrics on its serving port, or on --prometheus-port.",
  },
  health: { path: "/health", timeoutMs: 5_000, isReady: (status) => status === 200 },
  modelsPath: "/v1/models",
  keepAliveMs: null,
  // --payload-limit; a larger body gets a plain-text 413.
  maxBodyBytes: 2_000_000,
  abort: "Frees the slot at the next token after its connection closes.",
  adapters: { address: addressByName, admin: null },
  queuesWithoutLimit: false,
  classifyAnswer: classifyTgiAnswer,
};
