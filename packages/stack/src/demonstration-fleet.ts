import type { SimFleetOptions } from "@evenkeel/sim/sim-fleet";

const MODEL = "llama-3.1-8b";

/**
 * A fleet that looks alike on paper and is not quite: two zones, the last quarter on a newer engine version, and the
 * second replica with a GPU that takes longer for the same work.
 */
export function demonstrationFleet(count: number): SimFleetOptions {
  return {
    model: MODEL,
    preset: "llama-8b-rtx4090",
    replicas: Array.from({ length: count }, (_, index) => ({
      id: `r-${String(index + 1).padStart(2, "0")}`,
      slowdown: index === 1 ? 1.5 : 1,
      labels: {
        zone: index % 2 === 0 ? "a" : "b",
        version: index >= Math.ceil(count * 0.75) ? "0.28.0" : "0.27.1",
        quantization: "bf16",
        gpu: "rtx4090",
      },
    })),
  };
}
