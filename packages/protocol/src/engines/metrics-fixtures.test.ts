import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "node:process";
import { expect, test } from "vitest";
import { parsePrometheusText } from "../prometheus/parse-text.ts";
import { ENGINES } from "./catalog.ts";
import type { EngineMetrics, MetricsReading, RankMetrics } from "./engine-metrics.ts";

/** Pages of real engines with their expected reading, when they are at hand beside the repository. */
const folder = resolve(
  env["EVENKEEL_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared"),
  "fixtures/metrics",
);
const isPresent = existsSync(resolve(folder, "expected.json"));
const page = (file: string) => readFileSync(resolve(folder, file), "utf8");

const ENGINE_BY_FIXTURE_NAME: Readonly<Record<string, keyof typeof ENGINES>> = {
  vllm: "vllm",
  sglang: "sglang",
  "triton-tensorrt-llm": "triton-trtllm",
  tgi: "tgi",
  llamacpp: "llamacpp",
  "trtllm-serve": "trtllm-serve",
  lmdeploy: "lmdeploy",
};

interface Expected {
  engine: string;
  engines?: Record<string, Record<string, number | null>>;
  totals?: { running: number; waiting: number };
  block_size?: number;
  page_size?: number;
  num_gpu_blocks?: number;
  num_pages?: number;
  kv_capacity_tokens?: number;
  kv_used_tokens?: number;
  kv_evictable_tokens?: number;
  max_total_tokens?: number;
  current_max_tokens?: number;
  sleep_level?: number;
  awake?: boolean;
  model?: string;
  prefix_hit_rate?: null;
  lora?: { max?: number; running?: string[]; waiting?: string[]; used?: number; total?: number } | null;
  latest?: { iter: number; running: number; waiting: number; kv_used: number; kv_max: number };
}

const SIGNALS: Readonly<Record<string, keyof RankMetrics>> = {
  running: "running",
  waiting: "queueDepth",
  kv: "kvOccupancy",
};

function metricsOf(reading: MetricsReading): EngineMetrics {
  if (!reading.ok) {
    throw new Error(reading.message);
  }
  return reading.metrics;
}

function expectRank(rank: RankMetrics | undefined, wanted: Record<string, number | null>) {
  for (const [name, value] of Object.entries(wanted)) {
    const signal = SIGNALS[name];
    expect(signal === undefined ? rank?.details[name] : rank?.[signal], `rank ${rank?.rank} ${name}`).toEqual(
      value,
    );
  }
}

function expectMetrics(metrics: EngineMetrics, wanted: Expected) {
  const [first] = metrics.ranks;
  for (const [rank, values] of Object.entries(wanted.engines ?? {})) {
    expectRank(
      metrics.ranks.find((entry) => entry.rank === rank),
      values,
    );
  }
  if (wanted.engines !== undefined) {
    expect(metrics.ranks.map((rank) => rank.rank).sort()).toEqual(Object.keys(wanted.engines).sort());
  }
  const single: [unknown, unknown][] = [
    [metrics.running, wanted.totals?.running],
    [metrics.queueDepth, wanted.totals?.waiting],
    [metrics.kvBlockTokens, wanted.block_size ?? wanted.page_size],
    [first?.kvBlocks, wanted.num_gpu_blocks ?? wanted.num_pages],
    [metrics.kvCapacityTokens, wanted.kv_capacity_tokens],
    [metrics.isAwake, wanted.awake],
    [metrics.model, wanted.model],
    [first?.details["kv_used_tokens"], wanted.kv_used_tokens],
    [first?.details["kv_evictable_tokens"], wanted.kv_evictable_tokens],
    [first?.details["max_total_tokens"], wanted.max_total_tokens],
    [first?.details["current_max_tokens"], wanted.current_max_tokens],
    [first?.details["sleep_level"], wanted.sleep_level],
    [metrics.adapterSlots, wanted.lora?.max ?? wanted.lora?.total],
    [metrics.adapterSlotsUsed, wanted.lora?.used],
    [metrics.adapters, wanted.lora?.running],
    [metrics.waitingAdapters, wanted.lora?.waiting],
    [first?.details["iter"], wanted.latest?.iter],
    [first?.running, wanted.latest?.running],
    [first?.queueDepth, wanted.latest?.waiting],
    [first?.details["kv_used"], wanted.latest?.kv_used],
    [first?.details["kv_max"], wanted.latest?.kv_max],
  ];
  for (const [actual, expected] of single) {
    if (expected !== undefined) {
      expect(actual).toEqual(expected);
    }
  }
  if (wanted.lora === null) {
    expect(metrics.adapters).toBeNull();
  }
  if (wanted.prefix_hit_rate === null) {
    expect(first?.details).not.toHaveProperty("prefix_hit_rate");
  }
}

test("every recorded engine page gives the expected signals", () => {
  if (!isPresent) {
    // Without the recordings beside the repository the engines' own tests stand alone.
    const reading = ENGINES.vllm.metrics.read('vllm:num_requests_running{engine="0"} 3\n');
    expect(metricsOf(reading).running).toBe(3);
    return;
  }
  const expected: Record<string, Expected> = JSON.parse(page("expected.json"));
  for (const [file, wanted] of Object.entries(expected)) {
    const engine = ENGINE_BY_FIXTURE_NAME[wanted.engine];
    expect(engine, wanted.engine).toBeDefined();
    if (engine !== undefined) {
      expectMetrics(metricsOf(ENGINES[engine].metrics.read(page(file))), wanted);
    }
  }
});

test("the recorded nasty page gives exactly its samples", () => {
  if (!isPresent) {
    expect(parsePrometheusText("a 1\n")).toMatchObject({ ok: true, samples: [{ name: "a", value: 1 }] });
    return;
  }
  const result = parsePrometheusText(page("nasty-valid.prom"));
  const spelled = (value: number) =>
    Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? value : value > 0 ? "+Inf" : "-Inf";
  const samples = result.ok
    ? result.samples.map((sample) => ({
        name: sample.name,
        labels: Object.fromEntries(sample.labels),
        value: spelled(sample.value),
        timestamp: sample.timestampMs === null ? null : sample.timestampMs / 1000,
      }))
    : [];
  expect(samples).toEqual(JSON.parse(page("nasty-valid.expected.json")));
  expect(result).toMatchObject({ ok: true, problems: [] });
});

test("no recorded page, of whatever engine, is misread by another engine's reader", () => {
  const files = isPresent ? readdirSync(folder).filter((file) => /\.(prom|html|json)$/.test(file)) : [];
  for (const file of files) {
    const readers = Object.values(ENGINES).filter((engine) => engine.metrics.read(page(file)).ok);
    expect(readers.length, file).toBeLessThanOrEqual(1);
  }
  expect(ENGINES.sglang.metrics.read("vllm:num_requests_running 3\n").ok).toBe(false);
});

test("an empty page, an error page and lines cut short are told from metrics", () => {
  for (const engine of Object.values(ENGINES)) {
    expect(engine.metrics.read("")).toMatchObject({ ok: false, code: "no_metrics" });
    expect(engine.metrics.read("<html><body>502 Bad Gateway</body></html>")).toMatchObject({ ok: false });
  }
  if (isPresent) {
    expect(metricsOf(ENGINES.vllm.metrics.read(page("invalid-lines-and-truncated.prom")))).toMatchObject({
      running: 3,
      queueDepth: null,
      // Two values for one series: neither can be believed.
      kvOccupancy: null,
    });
    expect(metricsOf(ENGINES.vllm.metrics.read(page("nasty-valid-crlf-free-noeol.prom"))).running).toBe(3);
  }
});
