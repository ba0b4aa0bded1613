import { decodePath } from "./path-problem.ts";

/** Calls by which vLLM, SGLang, TensorRT-LLM, llama.cpp and Triton are administered, as the last segment of a path. */
const ADMINISTRATION: ReadonlySet<string> = new Set([
  "abort_request",
  "abort_requests",
  "collective_rpc",
  "configure_logging",
  "continue_generation",
  "flush_cache",
  "load",
  "load_lora_adapter",
  "load_lora_adapter_from_tensors",
  "lora-adapters",
  "pause",
  "pause_generation",
  "release_memory",
  "release_memory_occupation",
  "reset_encoder_cache",
  "reset_mm_cache",
  "reset_prefix_cache",
  "resume",
  "resume_memory",
  "resume_memory_occupation",
  "scale_elastic_ep",
  "set_internal_state",
  "shutdown",
  "sleep",
  "slow_down",
  "start_profile",
  "stop_profile",
  "unload",
  "unload_lora_adapter",
  "wake_up",
]);
const WEIGHT_UPDATE = /^(init|destroy|update)_weights?(_|$)/;

/** True for a path whose call changes an engine instead of asking it: those are the operator's, never a client's. */
export function isAdministrationRoute(bare: string): boolean {
  const decoded = decodePath(bare);
  if (decoded === null) return true;
  const last = decoded.slice(decoded.lastIndexOf("/") + 1).toLowerCase();
  const name = last.split(";", 1)[0] ?? last;
  return ADMINISTRATION.has(name) || WEIGHT_UPDATE.test(name);
}
