import type { SampleTable } from "../../prometheus/sample-table.ts";
import { combineRanks, type EngineMetrics, type MetricsReading, NO_ADAPTERS } from "../engine-metrics.ts";
import { asCount, asRatio } from "../read-gauge.ts";
import { readPage } from "../read-page.ts";
import { readIterationStats } from "./iteration-stats.ts";

const RUNNING = "trtllm_num_requests_running";
const WAITING = "trtllm_num_requests_waiting";
const KV_USAGE = "trtllm_kv_cache_utilization";
const MAX_BLOCKS = "trtllm_kv_cache_max_blocks";
const BLOCK_TOKENS = "trtllm_kv_cache_tokens_per_block";

const WANTED: ReadonlySet<string> = new Set([RUNNING, WAITING, KV_USAGE, MAX_BLOCKS, BLOCK_TOKENS]);

/**
 * Reads trtllm-serve's `/prometheus/metrics`, or the JSON of its `/metrics`. The gauges are written when a request
 * completes: absent before the first one, and old during long generations.
 */
export function readTrtllmServeMetrics(text: string): MetricsReading {
  if (text.trimStart().startsWith("[")) {
    return readIterationStats(text);
  }
  return readPage(text, WANTED, (table) => (table.isEmpty ? null : describe(table)));
}

function describe(table: SampleTable): EngineMetrics {
  // One serving process writes these; the pid label of multiprocess gauges carries no meaning.
  const gauge = (name: string) => table.all(name)[0]?.value;
  const kvBlocks = asCount(gauge(MAX_BLOCKS));
  const kvBlockTokens = asCount(gauge(BLOCK_TOKENS));
  const rank = {
    rank: "-",
    running: asCount(gauge(RUNNING)),
    queueDepth: asCount(gauge(WAITING)),
    kvOccupancy: asRatio(gauge(KV_USAGE)),
    kvCapacityTokens: kvBlocks === null || kvBlockTokens === null ? null : kvBlocks * kvBlockTokens,
    kvBlockTokens,
    kvBlocks,
    details: {},
  };
  const model = table.firstOf(RUNNING, WAITING)[0]?.labels.get("model_name");
  return {
    ...combineRanks([rank]),
    ...NO_ADAPTERS,
    isAwake: null,
    // One release writes the word "undefined".
    model: model === undefined || model === "undefined" ? null : model,
    ranks: [rank],
  };
}
