import {
  type AdapterAction,
  type AdapterAdmin,
  type AdapterOutcome,
  shortMessage,
} from "../adapter-admin.ts";
import { readErrorBody } from "../answer-class.ts";

/** vLLM's runtime LoRA routes. Success is plain text; refusals are told apart by status and error type. */
export const vllmAdapterAdmin: AdapterAdmin = {
  load: (name, path) => ({
    path: "/v1/load_lora_adapter",
    body: JSON.stringify({ lora_name: name, lora_path: path }),
  }),
  unload: (name) => ({ path: "/v1/unload_lora_adapter", body: JSON.stringify({ lora_name: name }) }),
  readAnswer,
  hint: "vLLM loads adapters at run time with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.",
};

function readAnswer(action: AdapterAction, status: number, body: string): AdapterOutcome {
  if (status < 300) {
    return { ok: true, wasAlready: false };
  }
  const error = readErrorBody(body);
  const message = shortMessage(error?.message ?? body);
  // Both fields are always sent, so the one thing left to be invalid is that the adapter is there already.
  if (action === "load" && status === 400 && error?.type === "InvalidUserInput") {
    return { ok: true, wasAlready: true };
  }
  if (status === 404) {
    if (error?.type !== "NotFoundError") {
      return { ok: false, code: "unsupported", message: vllmAdapterAdmin.hint };
    }
    return action === "unload" ? { ok: true, wasAlready: true } : { ok: false, code: "not_found", message };
  }
  return { ok: false, code: status >= 500 ? "engine_error" : "refused", message };
}
