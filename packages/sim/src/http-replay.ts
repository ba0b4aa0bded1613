import { Agent } from "undici";
import { LoadSpread } from "./load-spread.ts";
import {
  DEFAULT_OBJECTIVES,
  type ServedRequest,
  type ServingObjectives,
  type ServingReport,
  servingReport,
} from "./serving-report.ts";
import { streamCompletion } from "./streaming-client.ts";
import { traceText } from "./trace-text.ts";
import type { TraceRequest } from "./traces/trace-request.ts";

export interface HttpReplayOptions {
  /** Base URL of the router (or of one engine), without /v1. */
  readonly baseUrl: string;
  readonly model: string;
  readonly requests: readonly TraceRequest[];
  /** Trace time runs this many times faster: request times are divided by it. Engines are not sped up. */
  readonly speed: number;
  /** Names the run: it goes into session keys. Request times are taken as they are (see `spreadTicks`). */
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
  readonly objectives?: ServingObjectives;
  /** Share of the run left out of the figures while caches fill; default 0.1. */
  readonly warmUpShare?: number;
  /** Running requests per replica now, for the load spread; sampled once a second. */
  readonly sampleLoads?: () => readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReplayProgress {
  readonly sent: number;
  readonly finished: number;
  readonly total: number;
}

export interface ReplayReport extends ServingReport {
  readonly durationMs: number;
  /** How much later than planned requests were sent, p99: a busy client measures itself. */
  readonly sendDelayP99Ms: number | null;
  /** Requests answered per replica, from the router's response header. */
  readonly perReplica: Readonly<Record<string, number>>;
  /** Failures by cause. */
  readonly errors: Readonly<Record<string, number>>;
}

/**
 * Sends a trace over HTTP as streaming chat requests, open loop, and reports what the clients saw.
 * Aborting `signal` stops sending, hangs up and reports what is finished.
 */
export async function replayOverHttp(options: HttpReplayOptions): Promise<ReplayReport> {
  const { requests, speed } = options;
  const agent = new Agent({ connections: null, pipelining: 1, keepAliveTimeout: 4000 });
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted === true) stop.abort();

  const served: ServedRequest[] = [];
  const sendDelays: number[] = [];
  const perReplica = new Map<string, number>();
  const errors = new Map<string, number>();
  const open = new Set<Promise<void>>();
  const spread = new LoadSpread(60);
  const { sampleLoads } = options;
  const sampler = sampleLoads === undefined ? null : setInterval(() => spread.add(sampleLoads()), 1000);
  const startedAt = performance.now();
  let sent = 0;
  const report = (): void => options.onProgress?.({ sent, finished: served.length, total: requests.length });

  const send = async (request: TraceRequest, index: number, plannedMs: number): Promise<void> => {
    const session =
      request.sessionKey === null ? {} : { "x-session-id": `${options.seed}-${request.sessionKey}` };
    const outcome = await streamCompletion({
      dispatcher: agent,
      url: `${options.baseUrl}/v1/chat/completions`,
      headers: { ...session, ...options.headers },
      body: JSON.stringify({
        model: request.adapter ?? options.model,
        messages: [{ role: "user", content: traceText(request, index) }],
        max_tokens: request.outputTokens,
        ignore_eos: true,
        stream: true,
        stream_options: { include_usage: true },
      }),
      signal: stop.signal,
    });
    if (stop.signal.aborted) return;
    const isRejected = outcome.status === 429 || outcome.status === 503;
    if (outcome.error !== null) {
      const cause = isRejected ? `HTTP ${outcome.status}` : outcome.error;
      errors.set(cause, (errors.get(cause) ?? 0) + 1);
    }
    if (outcome.replica !== null) perReplica.set(outcome.replica, (perReplica.get(outcome.replica) ?? 0) + 1);
    served.push({
      atMs: plannedMs,
      promptTokens: outcome.promptTokens ?? request.promptTokens,
      outputTokens: outcome.outputTokens,
      cachedTokens: outcome.cachedTokens,
      ttftMs: outcome.ttftMs,
      itlMs: outcome.itlMs,
      replica: outcome.replica,
      sessionKey: request.sessionKey,
      outcome: outcome.error === null ? "completed" : isRejected ? "rejected" : "failed",
    });
    report();
  };

  for (const [index, request] of requests.entries()) {
    const plannedMs = request.atMs / speed;
    const waitMs = startedAt + plannedMs - performance.now();
    if (waitMs > 1) await pause(waitMs, stop.signal);
    if (stop.signal.aborted) break;
    sendDelays.push(performance.now() - startedAt - plannedMs);
    sent += 1;
    const sending = send(request, index, plannedMs).finally(() => open.delete(sending));
    open.add(sending);
  }
  await Promise.all(open);
  if (sampler !== null) clearInterval(sampler);
  options.signal?.removeEventListener("abort", onAbort);
  await agent.destroy();

  const lastAtMs = (requests.at(-1)?.atMs ?? 0) / speed;
  const sortedDelays = sendDelays.toSorted((a, b) => a - b);
  return {
    ...servingReport(served, {
      objectives: options.objectives ?? DEFAULT_OBJECTIVES,
      warmUpMs: lastAtMs * (options.warmUpShare ?? 0.1),
      loadCv: sampleLoads === undefined ? null : spread.cv,
    }),
    durationMs: performance.now() - startedAt,
    sendDelayP99Ms: sortedDelays[Math.floor(0.99 * sortedDelays.length)] ?? null,
    perReplica: Object.fromEntries(perReplica),
    errors: Object.fromEntries(errors),
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
