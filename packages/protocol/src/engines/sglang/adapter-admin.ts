import { z } from "zod";
import {
  type AdapterAction,
  type AdapterAdmin,
  type AdapterOutcome,
  shortMessage,
} from "../adapter-admin.ts";

const answer = z.object({
  success: z.boolean(),
  error_message: z.string().nullish(),
  loaded_adapters: z.record(z.string(), z.unknown()).nullish(),
});

/** SGLang's LoRA routes: JSON both ways. An unload waits for the adapter's running requests. */
export const sglangAdapterAdmin: AdapterAdmin = {
  load: (name, path) => ({
    path: "/load_lora_adapter",
    body: JSON.stringify({ lora_name: name, lora_path: path }),
  }),
  unload: (name) => ({ path: "/unload_lora_adapter", body: JSON.stringify({ lora_name: name }) }),
  readAnswer,
  hint: "SGLang loads adapters at run time with --enable-lora.",
};

function readAnswer(_action: AdapterAction, status: number, body: string): AdapterOutcome {
  if (status === 404) {
    return { ok: false, code: "unsupported", message: sglangAdapterAdmin.hint };
  }
  const parsed = answer.safeParse(parseJson(body));
  if (status < 300 && parsed.success && parsed.data.success) {
    return { ok: true, wasAlready: false };
  }
  const message = shortMessage((parsed.success ? parsed.data.error_message : null) ?? body);
  return { ok: false, code: status >= 500 ? "engine_error" : "refused", message };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
