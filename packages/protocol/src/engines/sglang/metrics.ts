import type { Sample } from "../../prometheus/parse-text.ts";
import type { SampleTable } from "../../prometheus/sample-table.ts";
import {
  combineRanks,
  type EngineMetrics,
  type MetricsReading,
  NO_ADAPTERS,
  type RankMetrics,
} from "../engine-metrics.ts";
import { asCount, asRatio, presentDetails } from "../read-gauge.ts";
import { readPage } from "../read-page.ts";

/** Queues of prefill/decode pairs: their requests wait too, outside the main queue. */
const HAND_OVER_QUEUES = {
  bootstrap_queue: "num_prefill_bootstrap_queue_reqs",
  inflight_queue: "num_prefill_inflight_queue_reqs",
  prealloc_queue: "num_decode_prealloc_queue_reqs",
  transfer_queue: "num_decode_transfer_queue_reqs",
} as const;

/** `/metrics` spells `sglang:x`; the Prometheus form of `/v1/loads` spells `sglang_x` and the queue otherwise. */
const spellings = (name: string) => [`sglang:${name}`, `sglang_${name}`] as const;

const RUNNING = spellings("num_running_reqs");
const WAITING = ["sglang:num_queue_reqs", "sglang_num_waiting_reqs"] as const;
const USAGE = spellings("token_usage");
const CAPACITY = spellings("max_total_num_tokens");
const PAGE_SIZE = spellings("page_size");
const PAGES = spellings("num_pages");
const USED = spellings("num_used_tokens");
const EVICTABLE = spellings("kv_evictable_tokens");
const SLOTS_USED = spellings("lora_pool_slots_used");
const SLOTS_TOTAL = spellings("lora_pool_slots_total");

const WANTED: ReadonlySet<string> = new Set([
  ...RUNNING,
  ...WAITING,
  ...USAGE,
  ...CAPACITY,
  ...PAGE_SIZE,
  ...PAGES,
  ...USED,
  ...EVICTABLE,
  ...SLOTS_USED,
  ...SLOTS_TOTAL,
  ...Object.values(HAND_OVER_QUEUES).flatMap(spellings),
]);

/** Reads SGLang's `/metrics`, or `/v1/loads?format=prometheus`, which needs no option on the engine. */
export function readSglangMetrics(text: string): MetricsReading {
  return readPage(text, WANTED, (table) => {
    const names = [
      ...new Set([...table.firstOf(...RUNNING), ...table.firstOf(...WAITING)].filter(isTotal).map(rankOf)),
    ];
    return names.length === 0 ? null : describe(table, names);
  });
}

function describe(table: SampleTable, names: readonly string[]): EngineMetrics {
  const ranks = names.map((rank) => readRank(table, rank));
  const combined = combineRanks(ranks);
  const handedOver = ranks.reduce(
    (total, rank) =>
      total + Object.keys(HAND_OVER_QUEUES).reduce((sum, key) => sum + (rank.details[key] ?? 0), 0),
    0,
  );
  // Each data-parallel rank has a pool of its own holding the same adapters: slots do not add up.
  const slots = smallest(table.firstOf(...SLOTS_TOTAL));
  return {
    ...combined,
    queueDepth: combined.queueDepth === null ? null : combined.queueDepth + handedOver,
    ...NO_ADAPTERS,
    adapterSlots: slots,
    adapterSlotsUsed: slots === null ? null : largest(table.firstOf(...SLOTS_USED)),
    isAwake: null,
    model: table.firstOf(...RUNNING)[0]?.labels.get("model_name") ?? null,
    ranks,
  };
}

function readRank(table: SampleTable, rank: string): RankMetrics {
  const gauge = (names: readonly string[]) => rankValue(table.firstOf(...names), rank);
  const kvBlockTokens = asCount(gauge(PAGE_SIZE));
  const kvBlocks = asCount(gauge(PAGES));
  const queues = Object.entries(HAND_OVER_QUEUES).map(
    ([key, name]) => [key, asCount(gauge(spellings(name)))] as const,
  );
  return {
    rank,
    running: asCount(gauge(RUNNING)),
    queueDepth: asCount(gauge(WAITING)),
    kvOccupancy: asRatio(gauge(USAGE)),
    kvCapacityTokens:
      asCount(gauge(CAPACITY)) ??
      (kvBlockTokens === null || kvBlocks === null ? null : kvBlockTokens * kvBlocks),
    kvBlockTokens,
    kvBlocks,
    details: presentDetails({
      ...Object.fromEntries(queues),
      kv_used_tokens: asCount(gauge(USED)),
      kv_evictable_tokens: asCount(gauge(EVICTABLE)),
    }),
  };
}

/** With priority scheduling the empty priority is the total and the numbered ones break it down. */
function isTotal(sample: Sample): boolean {
  return (sample.labels.get("priority") ?? "") === "";
}

function rankOf(sample: Sample): string {
  return sample.labels.get("dp_rank") ?? "-";
}

/** Tensor- and pipeline-parallel ranks repeat the same value: the first stands for all. */
function rankValue(samples: readonly Sample[], rank: string): number | undefined {
  return samples.find((sample) => rankOf(sample) === rank && isTotal(sample))?.value;
}

function smallest(samples: readonly Sample[]): number | null {
  return samples.length === 0 ? null : asCount(Math.min(...samples.map((sample) => sample.value)));
}

function largest(samples: readonly Sample[]): number | null {
  return samples.length === 0 ? null : asCount(Math.max(...samples.map((sample) => sample.value)));
}
