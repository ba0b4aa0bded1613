import type { DecisionRecord } from "@evenkeel/db/decision-record";
import type { RecordWriterStats } from "@evenkeel/db/spool/record-writer";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Clock } from "./clock.ts";
import type { Fleet } from "./fleet/fleet.ts";

/** What the metrics read when they are scraped. */
export interface MetricsSources {
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly policyRevision: () => number;
  readonly activeRequests: () => number;
  readonly bodyBytes: () => number;
  readonly held: () => number;
  /** Null when nothing is recorded. */
  readonly records: () => RecordWriterStats | null;
  readonly scrapeFailures: () => number;
}

const TTFT_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const ITL_BUCKETS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1];
const DECIDE_BUCKETS = [0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005];

/**
 * The router's Prometheus metrics. Labels are bounded: base models of the fleet file (any other name is
 * `other`), replica ids, and closed sets of outcomes. Series of replicas that leave go with them.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #fleet: Fleet;
  readonly #requests: Counter<"model" | "outcome">;
  readonly #attempts: Counter<"outcome">;
  readonly #retries: Counter;
  readonly #ttft: Histogram<"model">;
  readonly #itl: Histogram<"model">;
  readonly #decide: Histogram;

  constructor(sources: MetricsSources) {
    const registers = [this.registry];
    this.#fleet = sources.fleet;
    this.#requests = new Counter({
      name: "evenkeel_requests_total",
      help: "Requests decided, by how they ended for the client.",
      labelNames: ["model", "outcome"],
      registers,
    });
    this.#attempts = new Counter({
      name: "evenkeel_attempts_total",
      help: "Attempts at replicas, by how they ended.",
      labelNames: ["outcome"],
      registers,
    });
    this.#retries = new Counter({
      name: "evenkeel_retries_total",
      help: "Attempts after the first one of a request.",
      registers,
    });
    this.#ttft = new Histogram({
      name: "evenkeel_ttft_seconds",
      help: "Time to first token from arrival at the router, streams only.",
      labelNames: ["model"],
      buckets: TTFT_BUCKETS,
      registers,
    });
    this.#itl = new Histogram({
      name: "evenkeel_itl_seconds",
      help: "Mean gap between the tokens of a stream.",
      labelNames: ["model"],
      buckets: ITL_BUCKETS,
      registers,
    });
    this.#decide = new Histogram({
      name: "evenkeel_decide_seconds",
      help: "Time spent deciding where a request goes.",
      buckets: DECIDE_BUCKETS,
      registers,
    });
    collectDefaultMetrics({ register: this.registry });
    registerGauges(this.registry, sources);
    registerReplicaGauges(this.registry, sources);
  }

  /** Counts a finished request. */
  observe(record: DecisionRecord): void {
    const base = record.decision.baseModel ?? record.model;
    const model = this.#fleet.models.has(base) ? base : "other";
    this.#requests.inc({ model, outcome: record.outcome });
    for (const attempt of record.attempts) this.#attempts.inc({ outcome: attempt.outcome });
    if (record.attempts.length > 1) this.#retries.inc(record.attempts.length - 1);
    if (record.ttftMs !== null) this.#ttft.observe({ model }, record.ttftMs / 1_000);
    if (record.itlMs !== null) this.#itl.observe({ model }, record.itlMs / 1_000);
    this.#decide.observe(record.decideUs / 1_000_000);
  }
}

function registerGauges(registry: Registry, sources: MetricsSources): void {
  const gauges: readonly [name: string, help: string, read: () => number][] = [
    [
      "evenkeel_policy_revision",
      "Policy revision in force; 0 when it is in no database.",
      sources.policyRevision,
    ],
    ["evenkeel_active_requests", "Client requests that are not over.", sources.activeRequests],
    ["evenkeel_in_flight", "Attempts at replicas that are not over.", () => sources.fleet.state.inFlight],
    ["evenkeel_held_requests", "Requests held in the router.", sources.held],
    ["evenkeel_request_body_bytes", "Request bodies held at once.", sources.bodyBytes],
    [
      "evenkeel_prefix_index_bytes",
      "Memory of the prefix index.",
      () => sources.fleet.state.prefixIndex.bytes,
    ],
    [
      "evenkeel_records_buffered",
      "Records a killed router would lose.",
      () => sources.records()?.buffered ?? 0,
    ],
    ["evenkeel_records_spooled", "Records waiting on disk.", () => sources.records()?.waiting ?? 0],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
  const totals: readonly [name: string, help: string, read: () => number][] = [
    ["evenkeel_records_stored_total", "Records the database took.", () => sources.records()?.stored ?? 0],
    ["evenkeel_records_refused_total", "Records no row can hold.", () => sources.records()?.refused ?? 0],
    [
      "evenkeel_records_dropped_total",
      "Records lost to a full spool.",
      () => sources.records()?.dropped ?? 0,
    ],
    [
      "evenkeel_scrape_failures_total",
      "Readings of a replica's metrics that failed.",
      sources.scrapeFailures,
    ],
  ];
  for (const [name, help, read] of totals) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

function registerReplicaGauges(registry: Registry, { fleet, clock }: MetricsSources): void {
  new Gauge({
    name: "evenkeel_replica_state",
    help: "1 for the state each replica is in.",
    labelNames: ["replica", "state"],
    registers: [registry],
    collect() {
      this.reset();
      for (const view of fleet.state.snapshot(clock()).replicas)
        this.set({ replica: view.id, state: view.state }, 1);
    },
  });
  new Gauge({
    name: "evenkeel_replica_in_flight",
    help: "Requests of this router in flight on each replica.",
    labelNames: ["replica"],
    registers: [registry],
    collect() {
      this.reset();
      for (const view of fleet.state.snapshot(clock()).replicas)
        this.set({ replica: view.id }, view.inFlight);
    },
  });
  new Gauge({
    name: "evenkeel_replica_kv_occupancy_ratio",
    help: "Share of KV blocks in use as the engine reports it; absent when unknown.",
    labelNames: ["replica"],
    registers: [registry],
    collect() {
      this.reset();
      for (const view of fleet.state.snapshot(clock()).replicas) {
        if (view.signals?.kvOccupancy != null) this.set({ replica: view.id }, view.signals.kvOccupancy);
      }
    },
  });
}
