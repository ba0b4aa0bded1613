import type { Sample } from "../../prometheus/parse-text.ts";
import { type EngineMetrics, NO_ADAPTERS } from "../engine-metrics.ts";
import { labelCount } from "../read-gauge.ts";

type AdapterFields = Pick<
  EngineMetrics,
  "adapters" | "waitingAdapters" | "adapterSlots" | "adapterSlotsUsed"
>;

/**
 * Reads `vllm:lora_requests_info`. vLLM never removes a series: each combination of adapters it ever had keeps one,
 * whose value is when it was last true, so the largest value is the current one. "Running" means in use by a
 * request, which is less than resident.
 */
export function readAdapters(samples: readonly Sample[]): AdapterFields {
  let current: Sample | null = null;
  for (const sample of samples) {
    if (Number.isFinite(sample.value) && (current === null || sample.value >= current.value)) {
      current = sample;
    }
  }
  const slots = labelCount(current?.labels.get("max_lora"));
  // The old engine reports zero slots when LoRA is off.
  if (current === null || slots === null || slots === 0) {
    return NO_ADAPTERS;
  }
  const adapters = splitNames(current.labels.get("running_lora_adapters"));
  return {
    adapters,
    waitingAdapters: splitNames(current.labels.get("waiting_lora_adapters")),
    adapterSlots: slots,
    adapterSlotsUsed: null,
  };
}

function splitNames(list: string | undefined): readonly string[] {
  return (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
