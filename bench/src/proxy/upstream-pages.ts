import { BENCH_MODEL } from "./prompt-bodies.ts";

/** Token events of one streamed answer. */
export const STREAM_EVENTS = 100;
/** Marks the moment an event was written, so that the reader can tell how long it travelled. */
export const STAMP_MARK = "@";
const STAMP_DIGITS = 14;

/** A whole HTTP answer with a length. */
export function plainAnswer(body: string, type: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

/** A chat completion of about 1 KiB. */
export function chatAnswer(promptTokens: number): Buffer {
  const completion = {
    id: "chatcmpl-00000000000000000000000000000000",
    object: "chat.completion",
    created: 1_750_000_000,
    model: BENCH_MODEL,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "word ".repeat(120), tool_calls: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: 120,
      total_tokens: promptTokens + 120,
      prompt_tokens_details: null,
    },
  };
  return plainAnswer(JSON.stringify(completion), "application/json");
}

export const STREAM_HEAD = Buffer.from(
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n",
);

/** One token event of about 200 bytes in chunked framing, stamped with `nowMs`. */
export function streamEvent(nowMs: number): string {
  const stamp = nowMs.toFixed(3).padStart(STAMP_DIGITS, "0");
  const event =
    `data: {"id":"chatcmpl-00000000000000000000000000000000","object":"chat.completion.chunk","created":1750000000,` +
    `"model":"${BENCH_MODEL}","choices":[{"index":0,"delta":{"content":"${STAMP_MARK}${stamp}"}}]}\n\n`;
  return `${event.length.toString(16)}\r\n${event}\r\n`;
}

export const STREAM_TAIL = Buffer.from("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");

/** The stamp of an event at `at`, the index of its mark; NaN when it is cut. */
export function readStamp(chunk: Buffer, at: number): number {
  if (at + 1 + STAMP_DIGITS > chunk.length) return Number.NaN;
  return Number(chunk.toString("latin1", at + 1, at + 1 + STAMP_DIGITS));
}

/** Model list of an OpenAI-compatible engine. */
export const MODELS_PAGE = plainAnswer(
  JSON.stringify({
    object: "list",
    data: [
      { id: BENCH_MODEL, object: "model", created: 1_750_000_000, owned_by: "vllm", max_model_len: 131_072 },
    ],
  }),
  "application/json",
);

/** What vLLM's and SGLang's routers ask a worker about itself. */
export const SERVER_INFO_PAGE = plainAnswer(
  JSON.stringify({
    model_path: BENCH_MODEL,
    served_model_name: BENCH_MODEL,
    tokenizer_path: BENCH_MODEL,
    is_generation: true,
    version: "0",
    dp_size: 1,
    tp_size: 1,
    max_running_requests: 4_096,
  }),
  "application/json",
);

export const HEALTH_PAGE = plainAnswer("", "text/plain");

/** A vLLM metrics page with its gauges, counters and histograms: about 25 KB, which is what a scrape costs. */
export const METRICS_PAGE = plainAnswer(metricsText(), "text/plain; version=0.0.4; charset=utf-8");

function metricsText(): string {
  const labels = `engine="0",model_name="${BENCH_MODEL}"`;
  const lines: string[] = [];
  const gauges = { num_requests_running: 4, num_requests_waiting: 0, kv_cache_usage_perc: 0.35 };
  for (const [name, value] of Object.entries(gauges)) {
    lines.push(`# HELP vllm:${name} Gauge.`, `# TYPE vllm:${name} gauge`, `vllm:${name}{${labels}} ${value}`);
  }
  const cacheConfig = `block_size="16",cache_dtype="auto",enable_prefix_caching="True",num_gpu_blocks="27000",engine="0"`;
  lines.push("# TYPE vllm:cache_config_info gauge", `vllm:cache_config_info{${cacheConfig}} 1.0`);
  for (const name of ["prefix_cache_queries", "prefix_cache_hits", "prompt_tokens", "generation_tokens"]) {
    lines.push(`# TYPE vllm:${name} counter`, `vllm:${name}_total{${labels}} 123456.0`);
  }
  const histograms = (
    "time_to_first_token_seconds inter_token_latency_seconds e2e_request_latency_seconds request_queue_time_seconds " +
    "request_prefill_time_seconds request_decode_time_seconds request_inference_time_seconds request_prompt_tokens " +
    "request_generation_tokens request_max_num_generation_tokens iteration_tokens_total request_params_n"
  ).split(" ");
  for (const name of histograms) {
    lines.push(`# HELP vllm:${name} Histogram.`, `# TYPE vllm:${name} histogram`);
    for (let bucket = 0; bucket < 22; bucket++) {
      lines.push(`vllm:${name}_bucket{${labels},le="${(0.001 * 2 ** bucket).toFixed(3)}"} ${bucket * 40}.0`);
    }
    lines.push(`vllm:${name}_bucket{${labels},le="+Inf"} 880.0`);
    lines.push(`vllm:${name}_sum{${labels}} 1234.5`, `vllm:${name}_count{${labels}} 880.0`);
  }
  return `${lines.join("\n")}\n`;
}
