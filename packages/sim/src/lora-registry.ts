import { z } from "zod";
import { VllmError } from "./vllm-error.ts";

const loadBody = z.object({ lora_name: z.string().min(1), lora_path: z.string().min(1) });
const unloadBody = z.object({ lora_name: z.string().min(1) });

/** Model names one simulated engine answers to: its base model and the adapters loaded into its registry. */
export class LoraRegistry {
  readonly #model: string;
  /** Adapter name to path. */
  readonly #adapters = new Map<string, string>();

  constructor(model: string, adapters: readonly string[]) {
    this.#model = model;
    for (const name of adapters) this.#adapters.set(name, `/adapters/${name}`);
  }

  /**
   * The adapter a model name means, null for the base model.
   * @throws VllmError 404 for a name the engine does not serve
   */
  resolve(model: string): string | null {
    if (model === this.#model) return null;
    if (this.#adapters.has(model)) return model;
    throw new VllmError(404, "NotFoundError", `The model \`${model}\` does not exist.`, "model");
  }

  /** The cards of `GET /v1/models`. */
  cards(createdAtSeconds: number, maxModelTokens: number): unknown[] {
    const card = (id: string, root: string, parent: string | null): unknown => ({
      id,
      object: "model",
      created: createdAtSeconds,
      owned_by: "vllm",
      root,
      parent,
      max_model_len: parent === null ? maxModelTokens : null,
      permission: [],
    });
    return [
      card(this.#model, this.#model, null),
      ...[...this.#adapters].map(([name, path]) => card(name, path, this.#model)),
    ];
  }

  /** Registers an adapter; answers as vLLM does. */
  load(text: string): string {
    const parsed = loadBody.safeParse(parseJson(text));
    if (!parsed.success) {
      throw new VllmError(400, "InvalidUserInput", "Both 'lora_name' and 'lora_path' must be provided.");
    }
    const { lora_name: name, lora_path: path } = parsed.data;
    if (this.#adapters.has(name)) {
      throw new VllmError(400, "InvalidUserInput", `The lora adapter '${name}' has already been loaded.`);
    }
    this.#adapters.set(name, path);
    return `Success: LoRA adapter '${name}' added successfully.`;
  }

  unload(text: string): string {
    const parsed = unloadBody.safeParse(parseJson(text));
    if (!parsed.success) throw new VllmError(400, "InvalidUserInput", "'lora_name' must be provided.");
    const { lora_name: name } = parsed.data;
    if (!this.#adapters.delete(name)) {
      throw new VllmError(404, "NotFoundError", `The lora adapter '${name}' cannot be found.`);
    }
    return `Success: LoRA adapter '${name}' removed successfully.`;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
