import type { EngineDialect } from "./engine.ts";
import type { EngineName } from "./engine-name.ts";
import { llamacpp } from "./llamacpp/dialect.ts";
import { lmdeploy } from "./lmdeploy/dialect.ts";
import { sglang } from "./sglang/dialect.ts";
import { tgi } from "./tgi/dialect.ts";
import { tritonTrtllm } from "./triton-trtllm/dialect.ts";
import { trtllmServe } from "./trtllm-serve/dialect.ts";
import { vllm } from "./vllm/dialect.ts";

/** Every engine spoken, by the name the fleet file uses. */
export const ENGINES: Readonly<Record<EngineName, EngineDialect>> = {
  vllm,
  sglang,
  tgi,
  llamacpp,
  "triton-trtllm": tritonTrtllm,
  "trtllm-serve": trtllmServe,
  lmdeploy,
};
