import type { SampleTable } from "../../prometheus/sample-table.ts";
import { combineRanks, type EngineMetrics, type MetricsReading, NO_ADAPTERS } from "../engine-metrics.ts";
import { asCount, asRatio } from "../read-gauge.ts";
import { readPage } from "../read-page.ts";

const RUNNING = "llamacpp:requests_processing";
const WAITING = "llamacpp:requests_deferred";
/** Gone from builds since May 2025. */
const KV_USAGE = "llamacpp:kv_cache_usage_ratio";

const WANTED: ReadonlySet<string> = new Set([RUNNING, WAITING, KV_USAGE]);

/** Reads the `/metrics` of llama.cpp's server. */
export function readLlamacppMetrics(text: string): MetricsReading {
  return readPage(text, WANTED, (table) => (table.isEmpty ? null : describe(table)));
}

function describe(table: SampleTable): EngineMetrics {
  const rank = {
    rank: "-",
    running: asCount(table.all(RUNNING)[0]?.value),
    queueDepth: asCount(table.all(WAITING)[0]?.value),
    kvOccupancy: asRatio(table.all(KV_USAGE)[0]?.value),
    kvCapacityTokens: null,
    kvBlockTokens: null,
    kvBlocks: null,
    details: {},
  };
  return { ...combineRanks([rank]), ...NO_ADAPTERS, isAwake: null, model: null, ranks: [rank] };
}
