import type { Sample } from "../../prometheus/parse-text.ts";
import type { SampleTable } from "../../prometheus/sample-table.ts";
import {
  combineRanks,
  type EngineMetrics,
  type MetricsReading,
  type RankMetrics,
} from "../engine-metrics.ts";
import { asCount, asRatio, labelCount, presentDetails, valueWhere } from "../read-gauge.ts";
import { readPage } from "../read-page.ts";
import { readAdapters } from "./adapter-info.ts";

const RUNNING = "vllm:num_requests_running";
const WAITING = "vllm:num_requests_waiting";
const WAITING_BY_REASON = "vllm:num_requests_waiting_by_reason";
const SWAPPED = "vllm:num_requests_swapped";
const KV_USAGE = "vllm:kv_cache_usage_perc";
/** The name before v0.9.2; for some versions both are there with the same value. */
const KV_USAGE_OLD = "vllm:gpu_cache_usage_perc";
const HIT_RATE_OLD = "vllm:gpu_prefix_cache_hit_rate";
const CACHE_CONFIG = "vllm:cache_config_info";
const SLEEP_STATE = "vllm:engine_sleep_state";
const LORA_INFO = "vllm:lora_requests_info";

const WANTED: ReadonlySet<string> = new Set([
  RUNNING,
  WAITING,
  WAITING_BY_REASON,
  SWAPPED,
  KV_USAGE,
  KV_USAGE_OLD,
  HIT_RATE_OLD,
  CACHE_CONFIG,
  SLEEP_STATE,
  LORA_INFO,
]);

/** Reads vLLM's `/metrics` of any version: the old engine's names, the new one's, and the versions with both. */
export function readVllmMetrics(text: string): MetricsReading {
  return readPage(text, WANTED, (table) => {
    const usage = table.firstOf(KV_USAGE, KV_USAGE_OLD);
    const ranks = rankNames([...table.all(RUNNING), ...table.all(WAITING), ...usage]);
    return ranks.length === 0 ? null : describe(table, usage, ranks);
  });
}

function describe(table: SampleTable, usage: readonly Sample[], names: readonly string[]): EngineMetrics {
  const ranks = names.map((rank) => readRank(table, usage, rank));
  return {
    ...combineRanks(ranks),
    ...readAdapters(table.all(LORA_INFO)),
    isAwake: readAwake(table.all(SLEEP_STATE)),
    model: table.firstOf(RUNNING, WAITING)[0]?.labels.get("model_name") ?? null,
    ranks,
  };
}

/** Ranks in the order the page lists them. Versions before 0.8.5 have one engine and no label. */
function rankNames(samples: readonly Sample[]): readonly string[] {
  return [...new Set(samples.map(rankOf))];
}

function rankOf(sample: Sample): string {
  return sample.labels.get("engine") ?? "-";
}

function readRank(table: SampleTable, usage: readonly Sample[], rank: string): RankMetrics {
  const gauge = (samples: readonly Sample[]) => valueWhere(samples, (sample) => rankOf(sample) === rank);
  const waitingFor = (reason: string) =>
    asCount(
      valueWhere(
        table.all(WAITING_BY_REASON),
        (sample) => rankOf(sample) === rank && sample.labels.get("reason") === reason,
      ),
    );
  const config = table.all(CACHE_CONFIG).find((sample) => rankOf(sample) === rank);
  const kvBlockTokens = labelCount(config?.labels.get("block_size"));
  const kvBlocks = labelCount(config?.labels.get("num_gpu_blocks"));
  return {
    rank,
    running: asCount(gauge(table.all(RUNNING))),
    queueDepth: asCount(gauge(table.all(WAITING))),
    kvOccupancy: asRatio(gauge(usage)),
    // Newer versions say the size themselves; for hybrid models blocks × block size would be wrong.
    kvCapacityTokens:
      labelCount(config?.labels.get("kv_cache_size_tokens")) ??
      (kvBlockTokens === null || kvBlocks === null ? null : kvBlockTokens * kvBlocks),
    kvBlockTokens,
    kvBlocks,
    details: presentDetails({
      waiting_capacity: waitingFor("capacity"),
      waiting_deferred: waitingFor("deferred"),
      swapped: asCount(gauge(table.all(SWAPPED))),
      prefix_hit_rate: asRatio(gauge(table.all(HIT_RATE_OLD))),
      sleep_level: readSleepLevel(table.all(SLEEP_STATE), rank),
    }),
  };
}

/** Awake only when every rank is: a request may land on any of them. Null in versions that do not say. */
function readAwake(states: readonly Sample[]): boolean | null {
  const awake = states.filter((sample) => sample.labels.get("sleep_state") === "awake");
  return awake.length === 0 ? null : awake.every((sample) => sample.value === 1);
}

function readSleepLevel(states: readonly Sample[], rank: string): number | null {
  const current = states.find((sample) => rankOf(sample) === rank && sample.value === 1);
  switch (current?.labels.get("sleep_state")) {
    case "weights_offloaded":
      return 1;
    case "discard_all":
      return 2;
    default:
      return null;
  }
}
