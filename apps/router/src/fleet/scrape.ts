import { ENGINES } from "@evenkeel/protocol/engines/catalog";
import type { EngineDialect } from "@evenkeel/protocol/engines/engine";
import type { EngineMetrics } from "@evenkeel/protocol/engines/engine-metrics";
import type { FleetReplica } from "@evenkeel/scheduler/fleet-file";
import type { EngineSignals } from "@evenkeel/scheduler/replica";
import type { Rng } from "@evenkeel/scheduler/rng";
import type { Pool } from "undici";
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
  /** A replica answers, but nowhere with its metrics; `hint` says what the engine needs. Told once per replica. */
  readonly onNoMetrics: (replica: FleetReplica, hint: string) => void;
}

/** A metrics page is read up to this size: TGI's has 80 KB of buckets, none has megabytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** Model lists change rarely. */
const MODELS_EVERY_MS = 10_000;
const LOOP_MS = 50;

interface Answer {
  readonly status: number;
  readonly text: string;
}

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
    const result = await this.#probe(upstream, dialect, round);
    if (this.#isClosed) return;
    if (result !== "up") this.#failures++;
    fleet.probed(upstream, result, clock());
    if (result === "up" && dialect.modelsPath !== null && clock() >= round.modelsDueAtMs) {
      round.modelsDueAtMs = clock() + MODELS_EVERY_MS;
      await this.#readModels(upstream, dialect.modelsPath);
    }
  }

  /** Any answer of the serving port to the metrics request says that the replica is there. */
  async #probe(upstream: Upstream, dialect: EngineDialect, round: Round): Promise<ProbeResult> {
    const { port, paths } = dialect.metrics;
    const path = paths[round.pathIndex % Math.max(1, paths.length)] ?? dialect.health.path;
    try {
      if (port === null)
        return this.#take(upstream, dialect, round, await this.#get(upstream, upstream.pool, path));
      // Metrics on a port of their own say nothing about the serving port, and may be switched off.
      const metrics = await this.#get(upstream, upstream.metricsPool(port), path).catch(() => null);
      const asleep = metrics !== null && this.#take(upstream, dialect, round, metrics) === "loading";
      const health = await this.#get(upstream, upstream.pool, dialect.health.path);
      return dialect.health.isReady(health.status) && !asleep ? "up" : "loading";
    } catch {
      return "down";
    }
  }

  #take(upstream: Upstream, dialect: EngineDialect, round: Round, answer: Answer): ProbeResult {
    if (answer.status === 503) return "loading";
    const reading = answer.status === 200 ? dialect.metrics.read(answer.text) : null;
    if (reading?.ok) {
      const { id } = upstream.replica;
      this.#options.fleet.state.observeSignals(
        id,
        signalsOf(reading.metrics, upstream, this.#options.clock()),
      );
      return reading.metrics.isAwake === false ? "loading" : "up";
    }
    // It answers, only not with its metrics: reachable, and its signals grow old where everyone can see it.
    round.pathIndex++;
    if (round.pathIndex === dialect.metrics.paths.length)
      this.#options.onNoMetrics(upstream.replica, dialect.metrics.hint);
    return "up";
  }

  async #readModels(upstream: Upstream, path: string): Promise<void> {
    try {
      const { status, text } = await this.#get(upstream, upstream.pool, path);
      const parsed = status === 200 ? modelList.safeParse(JSON.parse(text)) : null;
      if (parsed?.success) upstream.modelCards = parsed.data.data;
    } catch {
      // Not being able to ask is no evidence that a model is gone: the last list stands.
    }
  }

  async #get(upstream: Upstream, pool: Pool, path: string): Promise<Answer> {
    const { statusCode, body } = await pool.request({
      path: upstream.basePath + path,
      method: "GET",
      headers: ["accept", "text/plain, application/json", ...upstream.ownHeaders],
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

/** Adapters are those the engine runs and those it lists as loaded. */
function signalsOf(metrics: EngineMetrics, upstream: Upstream, observedAtMs: number): EngineSignals {
  const loaded = upstream.modelCards.flatMap(({ id, parent }) => (typeof parent === "string" ? [id] : []));
  const adapters =
    metrics.adapters === null && loaded.length === 0
      ? null
      : [...new Set([...loaded, ...(metrics.adapters ?? [])])];
  return {
    observedAtMs,
    running: metrics.running,
    queueDepth: metrics.queueDepth,
    kvOccupancy: metrics.kvOccupancy,
    kvCapacityTokens: metrics.kvCapacityTokens,
    kvBlockTokens: metrics.kvBlockTokens,
    adapters,
    adapterSlots: metrics.adapterSlots,
  };
}
