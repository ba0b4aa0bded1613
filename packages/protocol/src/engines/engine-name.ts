/** The engines whose protocols are spoken. */
export const ENGINE_NAMES = [
  "vllm",
  "sglang",
  "tgi",
  "llamacpp",
  "triton-trtllm",
  "trtllm-serve",
  "lmdeploy",
] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];
