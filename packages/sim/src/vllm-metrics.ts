import { PrometheusHistogram } from "./prometheus-histogram.ts";
import type { ReplicaModel } from "./replica-model.ts";

const TTFT_EDGES = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640,
  2560,
];
const ITL_EDGES = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];
const LATENCY_EDGES = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
const TOKEN_EDGES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

/** `current`: names of vLLM >= 0.12; `old`: KV use as `gpu_cache_usage_perc`, as before 0.9.2. */
export type MetricsGeneration = "current" | "old";

/** What a simulated vLLM has counted, and its `/metrics` page. */
export class VllmMetrics {
  readonly ttft = new PrometheusHistogram(TTFT_EDGES);
  readonly itl = new PrometheusHistogram(ITL_EDGES);
  readonly latency = new PrometheusHistogram(LATENCY_EDGES);
  readonly promptTokens = new PrometheusHistogram(TOKEN_EDGES);
  readonly outputTokens = new PrometheusHistogram(TOKEN_EDGES);
  readonly finished = { stop: 0, length: 0, abort: 0, error: 0 };

  /** Notes a completed answer. @param seconds from its request */
  observeFinished(
    reason: "stop" | "length",
    answer: { readonly seconds: number; readonly promptTokens: number; readonly outputTokens: number },
  ): void {
    this.finished[reason] += 1;
    this.latency.observe(answer.seconds);
    this.promptTokens.observe(answer.promptTokens);
    this.outputTokens.observe(answer.outputTokens);
  }

  /** The exposition text of now. */
  page(model: ReplicaModel, modelName: string, generation: MetricsGeneration, nowMs: number): string {
    const isOld = generation === "old";
    const labels = isOld ? `model_name="${modelName}"` : `engine="0",model_name="${modelName}"`;
    const family = (
      type: string,
      name: string,
      help: string,
      value: number | string,
      extra = labels,
    ): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}{${extra}} ${value}\n`;
    const { totals, parameters } = model;
    const prefix = isOld ? "vllm:gpu_prefix_cache" : "vllm:prefix_cache";
    let text = family(
      "gauge",
      "vllm:num_requests_running",
      "Number of requests in model execution batches.",
      model.running,
    );
    text += family(
      "gauge",
      "vllm:num_requests_waiting",
      "Number of requests waiting to be processed.",
      model.queueDepth,
    );
    text += family(
      "gauge",
      isOld ? "vllm:gpu_cache_usage_perc" : "vllm:kv_cache_usage_perc",
      "KV-cache usage. 1 means 100 percent usage.",
      model.kvOccupancy,
    );
    text += family(
      "counter",
      `${prefix}_queries_total`,
      "Prefix cache queries, in tokens.",
      totals.promptTokens,
    );
    text += family("counter", `${prefix}_hits_total`, "Prefix cache hits, in tokens.", totals.cachedTokens);
    text += family(
      "counter",
      "vllm:num_preemptions_total",
      "Cumulative number of preemptions.",
      totals.preemptions,
    );
    text += family(
      "counter",
      "vllm:prompt_tokens_total",
      "Number of prefill tokens processed.",
      totals.promptTokens,
    );
    text += family(
      "counter",
      "vllm:generation_tokens_total",
      "Number of generation tokens.",
      totals.outputTokens,
    );
    text += "# HELP vllm:request_success_total Count of successfully processed requests.\n";
    text += "# TYPE vllm:request_success_total counter\n";
    for (const [reason, count] of Object.entries(this.finished)) {
      text += `vllm:request_success_total{${labels},finished_reason="${reason}"} ${count}\n`;
    }
    text += this.ttft.lines("vllm:time_to_first_token_seconds", "Histogram of time to first token.", labels);
    text += this.itl.lines(
      isOld ? "vllm:time_per_output_token_seconds" : "vllm:inter_token_latency_seconds",
      "Histogram of the time between output tokens.",
      labels,
    );
    text += this.latency.lines("vllm:e2e_request_latency_seconds", "Histogram of request latency.", labels);
    text += this.promptTokens.lines(
      "vllm:request_prompt_tokens",
      "Number of prefill tokens processed.",
      labels,
    );
    text += this.outputTokens.lines(
      "vllm:request_generation_tokens",
      "Number of generation tokens processed.",
      labels,
    );
    text += family(
      "gauge",
      "vllm:cache_config_info",
      "Information of the LLMEngine CacheConfig",
      "1.0",
      `block_size="${parameters.blockTokens}",cache_dtype="auto",enable_prefix_caching="True",${isOld ? "" : 'engine="0",'}` +
        `gpu_memory_utilization="0.9",kv_cache_size_tokens="${parameters.kvBlocks * parameters.blockTokens}",` +
        `num_gpu_blocks="${parameters.kvBlocks}"`,
    );
    return text + this.#adapters(model, nowMs);
  }

  #adapters(model: ReplicaModel, nowMs: number): string {
    const namesOf = (
      requests: readonly { readonly request: { readonly adapter: string | null } }[],
    ): string =>
      [
        ...new Set(requests.flatMap(({ request }) => (request.adapter === null ? [] : [request.adapter]))),
      ].join(",");
    const running = namesOf(model.runningSequences());
    const waiting = namesOf(model.waitingSequences());
    if (running === "" && waiting === "" && model.residentAdapters.length === 0) return "";
    return (
      "# HELP vllm:lora_requests_info Running stats on lora requests.\n# TYPE vllm:lora_requests_info gauge\n" +
      `vllm:lora_requests_info{max_lora="${model.parameters.adapters.slots}",running_lora_adapters="${running}",` +
      `waiting_lora_adapters="${waiting}"} ${nowMs / 1000}\n`
    );
  }
}
