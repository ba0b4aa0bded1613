import { ENGINES } from "@evenkeel/protocol/engines/catalog";
import type { EngineDialect } from "@evenkeel/protocol/engines/engine";
import type { EngineMetrics } from "@evenkeel/protocol/engines/engine-metrics";
import type { Rng } from "@evenkeel/scheduler/rng";
import type { Clock } from "../clock.ts";
import type { Fleet } from "./fleet.ts";
import { modelList } from "./model-catalog.ts";
import type { ProbeResult } from "./reachability.ts";
import type { Upstream } from "./upstream.ts";

export interface ScrapeOptions {
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** A metrics page is read up to this size: TGI's has 80 KB of buckets, none has megabytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** Model lists change rarely. */
const MODELS_EVERY_MS = 10_000;
const LOOP_MS = 50;

interface Round {
  dueAtMs: number;
  modelsDueAtMs: number;
  isRunning: boolean;
  /** Index of the metrics path that answered last. */
  pathIndex: number;
}

/**
 * Reads every replica's metrics at its own jittered pace, one reading of a replica at a time. Any answer also says
 * that the replica is reachable. It touches no load figure of ours.
 */
export class Scraper {
  readonly #options: ScrapeOptions;
  readonly #rounds = new WeakMap<Upstream, Round>();
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #failures = 0;
  #isClosed = false;

  constructor(options: ScrapeOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#startDue(), Math.min(LOOP_MS, options.intervalMs));
    this.#startDue();
  }

  /** Readings that failed since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** Resolves when every replica known now has been asked once. */
  async firstRound(): Promise<void> {
    this.#startDue();
    await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  #startDue(): void {
    if (this.#isClosed) return;
    const nowMs = this.#options.clock();
    for (const upstream of this.#options.fleet.upstreams()) {
      const round = this.#roundOf(upstream);
      if (round.isRunning || nowMs < round.dueAtMs) continue;
      round.isRunning = true;
      const reading = this.#read(upstream, round).finally(() => {
        round.isRunning = false;
        round.dueAtMs = this.#options.clock() + this.#options.intervalMs * (0.9 + 0.2 * this.#options.rng());
        this.#running.delete(reading);
      });
      this.#running.add(reading);
    }
  }

  #roundOf(upstream: Upstream): Round {
    let round = this.#rounds.get(upstream);
    if (round === undefined) {
      round = { dueAtMs: 0, modelsDueAtMs: 0, isRunning: false, pathIndex: 0 };
      this.#rounds.set(upstream, round);
    }
    return round;
  }

  async #read(upstream: Upstream, round: Round): Promise<void> {
    const { fleet, clock } = this.#options;
    const dialect = ENGINES[upstream.replica.engine];
    const result = await this.#readMetrics(upstream, dialect, round);
    if (this.#isClosed) return;
    if (result !== "up") this.#failures++;
    fleet.probed(upstream, result, clock());
    if (result === "up" && dialect?.modelsPath && clock() >= round.modelsDueAtMs) {
      round.modelsDueAtMs = clock() + MODELS_EVERY_MS;
      await this.#readModels(upstream, dialect.modelsPath);
    }
  }

  async #readMetrics(
    upstream: Upstream,
    dialect: EngineDialect | undefined,
    round: Round,
  ): Promise<ProbeResult> {
    const { fleet, clock } = this.#options;
    const paths = dialect?.metrics.paths ?? [];
    const path = paths[round.pathIndex % Math.max(1, paths.length)] ?? "/v1/models";
    let answer: { status: number; text: string };
    try {
      answer = await this.#get(upstream, path);
    } catch {
      return "down";
    }
    if (answer.status === 503) return "loading";
    const reading = answer.status === 200 ? dialect?.metrics.read(answer.text) : undefined;
    if (reading?.ok) fleet.state.observeSignals(upstream.replica.id, signalsOf(reading.metrics, clock()));
    // It answers, only not with its metrics: reachable, and its signals grow old where everyone can see it.
    else round.pathIndex++;
    return reading?.ok && reading.metrics.isAwake === false ? "loading" : "up";
  }

  async #readModels(upstream: Upstream, path: string): Promise<void> {
    try {
      const { status, text } = await this.#get(upstream, path);
      const parsed = status === 200 ? modelList.safeParse(JSON.parse(text)) : null;
      if (parsed?.success) upstream.modelCards = parsed.data.data;
    } catch {
      // Not being able to ask is no evidence that a model is gone: the last list stands.
    }
  }

  async #get(upstream: Upstream, path: string): Promise<{ status: number; text: string }> {
    const { statusCode, body } = await upstream.pool.request({
      path: upstream.basePath + path,
      method: "GET",
      headers: { accept: "text/plain, application/json" },
      signal: AbortSignal.timeout(this.#options.timeoutMs),
    });
    let size = 0;
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > PAGE_BYTES) throw new Error("the page is too large");
      chunks.push(chunk);
    }
    return { status: statusCode, text: Buffer.concat(chunks).toString("utf8") };
  }
}

function signalsOf(metrics: EngineMetrics, observedAtMs: number) {
  return {
    observedAtMs,
    running: metrics.running,
    queueDepth: metrics.queueDepth,
    kvOccupancy: metrics.kvOccupancy,
    kvCapacityTokens: metrics.kvCapacityTokens,
    kvBlockTokens: metrics.kvBlockTokens,
    adapters: metrics.adapters,
    adapterSlots: metrics.adapterSlots,
  };
}
