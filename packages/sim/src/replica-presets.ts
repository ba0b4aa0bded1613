import type { AdapterParameters, ReplicaParameters, StepTime } from "./replica-parameters.ts";

const DEFAULT_ADAPTERS: AdapterParameters = {
  slots: 4,
  cpuSlots: 32,
  warmLoadMs: 30,
  coldLoadMs: 1000,
  stepShare: 0.01,
};

/** Coefficients derived from kernel profiles: compute hides behind the weight read on small batches. */
function kernelProfile(
  weightReadMs: number,
  usPerToken: number,
  nsPerContextToken: number,
  nsPerAttentionPair: number,
): StepTime {
  return {
    overheadMs: 1.5,
    weightReadMs,
    usPerToken,
    decodeAddsTokens: true,
    usPerSequence: 15,
    nsPerContextToken,
    nsPerAttentionPair,
  };
}

/** Coefficients fitted to measured TTFT and time per output token; the overhead includes the weight read. */
function measuredFit(
  overheadMs: number,
  usPerToken: number,
  usPerSequence: number,
  nsPerContextToken: number,
  nsPerAttentionPair: number,
): StepTime {
  return {
    overheadMs,
    weightReadMs: 0,
    usPerToken,
    decodeAddsTokens: false,
    usPerSequence,
    nsPerContextToken,
    nsPerAttentionPair,
  };
}

function replica(
  step: StepTime,
  kvBlocks: number,
  overrides: Partial<ReplicaParameters> = {},
): ReplicaParameters {
  return {
    blockTokens: 16,
    kvBlocks,
    maxBatchedTokens: 8192,
    maxSequences: 256,
    maxModelTokens: 131_072,
    step,
    adapters: DEFAULT_ADAPTERS,
    ...overrides,
  };
}

const consumerCard: Partial<ReplicaParameters> = { maxBatchedTokens: 2048, maxModelTokens: 32_768 };

/** Named engine + GPU combinations. Step times are fits to published measurements of these set-ups. */
export const REPLICA_PRESETS = {
  "llama-8b-h100": replica(kernelProfile(5.1, 17.2, 45, 0.9), 28_600),
  "llama-8b-a100": replica(kernelProfile(10.1, 54, 82, 3.0), 28_600),
  "llama-8b-l40s": replica(kernelProfile(20.5, 53, 184, 3.05), 11_500),
  "llama-8b-rtxpro6000": replica(kernelProfile(9.74, 53.1, 89.2, 2.5), 35_400, {
    ...consumerCard,
    maxSequences: 128,
  }),
  "llama-8b-rtx4090": replica(kernelProfile(17.32, 81, 158.6, 3.8), 2_588, consumerCard),
  "llama-8b-h200-fp8": replica(measuredFit(4.3, 17.4, 32, 28.4, 0.9), 50_000),
  "qwen3-32b-h100-tp2": replica(measuredFit(14.0, 54.9, 48, 55.9, 1.8), 17_900),
  "qwen3-32b-h100-tp4": replica(measuredFit(9.3, 32.2, 58, 24.5, 0.9), 51_000),
  "qwen3-32b-h100-tp8": replica(measuredFit(7.1, 20.3, 64, 10.0, 0.45), 117_000),
  "llama-70b-fp8-h100-tp2": replica(measuredFit(16.6, 73.5, 38, 58.7, 2.2), 13_000),
  "llama-70b-fp8-h100-tp4": replica(measuredFit(11.0, 47.1, 54, 28.1, 1.1), 40_000),
  "llama-70b-fp8-h100-tp8": replica(measuredFit(8.8, 31.3, 63, 11.6, 0.55), 94_000),
  "llama-70b-fp8-h200-tp1": replica(measuredFit(20.1, 116, 61, 87, 4.3), 10_200),
  "llama-70b-fp8-h200-tp2": replica(measuredFit(13.2, 75, 35, 38, 2.2), 33_800),
  "gpt-oss-120b-h100-tp2": replica(measuredFit(4.6, 24, 152, 2.7, 0.3), 60_000),
} as const satisfies Record<string, ReplicaParameters>;

export type PresetName = keyof typeof REPLICA_PRESETS;

/** Base model name that a preset serves when the caller gives none. */
export function modelOfPreset(preset: PresetName): string {
  if (preset.startsWith("llama-8b")) return "meta-llama/Llama-3.1-8B-Instruct";
  if (preset.startsWith("llama-70b")) return "meta-llama/Llama-3.1-70B-Instruct";
  if (preset.startsWith("qwen3-32b")) return "Qwen/Qwen3-32B";
  return "openai/gpt-oss-120b";
}

export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(REPLICA_PRESETS, name);
}

/** @throws RangeError naming the presets there are */
export function presetNamed(name: string): ReplicaParameters {
  if (isPresetName(name)) return REPLICA_PRESETS[name];
  throw new RangeError(`unknown preset "${name}"; there are: ${Object.keys(REPLICA_PRESETS).join(", ")}`);
}
