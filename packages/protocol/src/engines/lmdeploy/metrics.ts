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

const RUNNING = "lmdeploy:num_requests_running";
const WAITING = "lmdeploy:num_requests_waiting";
/** Requests that wait for a handle before they reach the engine's queue. */
const API_WAITING = "lmdeploy:num_api_requests_waiting";
const KV_USAGE = "lmdeploy:gpu_cache_usage_perc";

const WANTED: ReadonlySet<string> = new Set([RUNNING, WAITING, API_WAITING, KV_USAGE]);

/** Reads LMDeploy's `/metrics`. */
export function readLmdeployMetrics(text: string): MetricsReading {
  return readPage(text, WANTED, (table) => {
    const names = [...new Set([...table.all(RUNNING), ...table.all(WAITING)].map(rankOf))];
    return names.length === 0 ? null : describe(table, names);
  });
}

function describe(table: SampleTable, names: readonly string[]): EngineMetrics {
  const ranks = names.map((rank) => readRank(table, rank));
  const combined = combineRanks(ranks);
  const apiWaiting = ranks.reduce((total, rank) => total + (rank.details["api_waiting"] ?? 0), 0);
  return {
    ...combined,
    queueDepth: combined.queueDepth === null ? null : combined.queueDepth + apiWaiting,
    ...NO_ADAPTERS,
    isAwake: null,
    model: table.firstOf(RUNNING, WAITING)[0]?.labels.get("model_name") ?? null,
    ranks,
  };
}

function readRank(table: SampleTable, rank: string): RankMetrics {
  const gauge = (name: string) => valueWhere(table.all(name), (sample) => rankOf(sample) === rank);
  return {
    rank,
    running: asCount(gauge(RUNNING)),
    queueDepth: asCount(gauge(WAITING)),
    kvOccupancy: asRatio(gauge(KV_USAGE)),
    kvCapacityTokens: null,
    kvBlockTokens: null,
    kvBlocks: null,
    details: presentDetails({ api_waiting: asCount(gauge(API_WAITING)) }),
  };
}

function rankOf(sample: Sample): string {
  return sample.labels.get("engine") ?? "-";
}
