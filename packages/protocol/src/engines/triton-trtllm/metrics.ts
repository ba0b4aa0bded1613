import type { Sample } from "../../prometheus/parse-text.ts";
import type { SampleTable } from "../../prometheus/sample-table.ts";
import {
  combineRanks,
  type EngineMetrics,
  type MetricsReading,
  NO_ADAPTERS,
  type RankMetrics,
} from "../engine-metrics.ts";
import { asCount, asRatio, presentDetails, valueWhere } from "../read-gauge.ts";
import { readPage } from "../read-page.ts";

const REQUESTS = "nv_trt_llm_request_metrics";
const KV_BLOCKS = "nv_trt_llm_kv_cache_block_metrics";

const WANTED: ReadonlySet<string> = new Set([REQUESTS, KV_BLOCKS]);

/**
 * Reads the TensorRT-LLM series of Triton's metrics page. Triton's own pending count stays near zero there, because
 * decoupled models hand requests straight to the batcher; and an ensemble counts a request once per step.
 */
export function readTritonMetrics(text: string): MetricsReading {
  return readPage(text, WANTED, (table) => {
    const models = [...new Set(table.all(REQUESTS).map(modelOf))];
    return models.length === 0 ? null : describe(table, models);
  });
}

function describe(table: SampleTable, models: readonly string[]): EngineMetrics {
  const ranks = models.map((model) => readModel(table, model));
  // The model label names a step of the ensemble, not what clients ask for.
  return { ...combineRanks(ranks), ...NO_ADAPTERS, isAwake: null, model: null, ranks };
}

function readModel(table: SampleTable, model: string): RankMetrics {
  const requests = (type: string) => asCount(labelled(table.all(REQUESTS), model, "request_type", type));
  const blocks = (type: string) => labelled(table.all(KV_BLOCKS), model, "kv_cache_block_type", type);
  const kvBlocks = asCount(blocks("max"));
  const used = asCount(blocks("used"));
  const kvBlockTokens = asCount(blocks("tokens_per"));
  return {
    rank: model,
    running: requests("scheduled"),
    queueDepth: requests("waiting"),
    // Older releases lack the fraction.
    kvOccupancy:
      asRatio(blocks("fraction")) ??
      (used === null || kvBlocks === null || kvBlocks === 0 ? null : asRatio(used / kvBlocks)),
    kvCapacityTokens: kvBlocks === null || kvBlockTokens === null ? null : kvBlocks * kvBlockTokens,
    kvBlockTokens,
    kvBlocks,
    details: presentDetails({ active: requests("active"), max: requests("max") }),
  };
}

function modelOf(sample: Sample): string {
  return sample.labels.get("model") ?? "-";
}

function labelled(
  samples: readonly Sample[],
  model: string,
  label: string,
  value: string,
): number | undefined {
  return valueWhere(samples, (sample) => modelOf(sample) === model && sample.labels.get(label) === value);
}
