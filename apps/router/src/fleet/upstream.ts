import type { FleetReplica } from "@evenkeel/scheduler/fleet-file";
import type { Rng } from "@evenkeel/scheduler/rng";
import { Pool } from "undici";
import type { ModelCard } from "./model-catalog.ts";
import { ReplicaHealth } from "./replica-health.ts";
import { ReplicaWindow } from "./replica-window.ts";

/**
 * Idle connections are closed before the engines close them: uvicorn, under vLLM and SGLang, does so after 5 s,
 * and a request sent into a closing connection is lost.
 */
const IDLE_CONNECTION_MS = 4_000;
/** Connections are renewed at this age even under constant load, so that a changed DNS entry takes effect. */
const CONNECTION_AGE_MS = 60_000;
/** Sockets that no attempt waits for any more are given up by then. */
const CONNECT_CEILING_MS = 60_000;

/** One replica as the router reaches it: connections, health, and what it did since the last snapshot. */
export class Upstream {
  readonly replica: FleetReplica;
  readonly pool: Pool;
  /** Prefix of every path, "" when the URL has none. */
  readonly basePath: string;
  readonly health: ReplicaHealth;
  readonly window = new ReplicaWindow();
  /** What the replica's own model list said last; kept while it cannot be asked. */
  modelCards: readonly ModelCard[] = [];
  #metricsPool: Pool | null = null;

  /** What every request to the replica carries beside the client's headers, names and values in turn. */
  readonly ownHeaders: readonly string[];

  /** @param apiKey the engine's own, null when it wants none */
  constructor(replica: FleetReplica, apiKey: string | null, rng: Rng) {
    this.replica = replica;
    this.ownHeaders = apiKey === null ? [] : ["authorization", `Bearer ${apiKey}`];
    const url = new URL(replica.url);
    this.basePath = url.pathname === "/" ? "" : url.pathname;
    this.health = new ReplicaHealth(rng);
    // No bound on connections: a pool would queue the request behind a long stream. The policy bounds in-flight.
    this.pool = new Pool(url.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      clientTtl: CONNECTION_AGE_MS,
      connectTimeout: CONNECT_CEILING_MS,
      // The policy's limits act, through `Deadlines`; the library's own would act behind its back.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Connections to a port of the same host that serves metrics only. */
  metricsPool(port: number): Pool {
    if (this.#metricsPool === null) {
      const url = new URL(this.replica.url);
      url.port = String(port);
      this.#metricsPool = new Pool(url.origin, { connections: 1, pipelining: 1, allowH2: false });
    }
    return this.#metricsPool;
  }

  /** Finishes what runs, then closes the connections. */
  close(): void {
    for (const pool of [this.pool, this.#metricsPool]) pool?.close().catch(() => pool.destroy());
  }
}
