import type { Db } from "@evenkeel/db/connect";
import type { ReplicaSnapshot } from "@evenkeel/db/replica-snapshot";
import { insertReplicaSnapshots } from "@evenkeel/db/replica-snapshots";
import type { ReplicaView } from "@evenkeel/scheduler/fleet-snapshot";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { Upstream } from "../fleet/upstream.ts";
import type { PolicyHolder } from "../policy/policy-holder.ts";

export interface SnapshotWriterOptions {
  readonly db: Db;
  readonly fleet: Fleet;
  readonly policy: PolicyHolder;
  readonly routerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Snapshots kept while the database is away; the oldest go first. */
const KEPT = 20_000;

/** Writes what this router knows of every replica, every `recording.snapshotIntervalMs` of the policy in force. */
export class SnapshotWriter {
  readonly #options: SnapshotWriterOptions;
  #pending: ReplicaSnapshot[] = [];
  #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isAway = false;
  #dropped = 0;

  constructor(options: SnapshotWriterOptions) {
    this.#options = options;
    this.#timer = this.#wait();
  }

  get dropped(): number {
    return this.#dropped;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(): NodeJS.Timeout {
    const { clock, policy } = this.#options;
    const intervalMs = policy.current.document.recording.snapshotIntervalMs;
    // On round instants, so that the columns of several routers line up.
    const delayMs = intervalMs - (clock() % intervalMs);
    return setTimeout(() => {
      this.#take();
      this.#running = this.#write(this.#running);
      if (!this.#isClosed) this.#timer = this.#wait();
    }, delayMs);
  }

  #take(): void {
    const { fleet, clock, routerId } = this.#options;
    const nowMs = clock();
    for (const view of fleet.state.snapshot(nowMs).replicas) {
      const upstream = fleet.upstream(view.id);
      if (upstream === undefined) continue;
      this.#pending.push(snapshotOf(view, upstream, routerId, nowMs));
      upstream.window.clear();
    }
    const excess = this.#pending.length - KEPT;
    if (excess > 0) {
      this.#pending.splice(0, excess);
      this.#dropped += excess;
    }
  }

  async #write(earlier: Promise<void>): Promise<void> {
    await earlier;
    const rows = this.#pending;
    if (rows.length === 0) return;
    this.#pending = [];
    try {
      await insertReplicaSnapshots(this.#options.db, rows);
      this.#isAway = false;
    } catch (error) {
      this.#pending = rows.concat(this.#pending);
      if (!this.#isAway) this.#options.logger.warn({ err: error }, "replica snapshots cannot be written");
      this.#isAway = true;
    }
  }
}

function snapshotOf(view: ReplicaView, upstream: Upstream, routerId: string, nowMs: number): ReplicaSnapshot {
  const { window } = upstream;
  return {
    takenAtMs: nowMs,
    routerId,
    replica: view.id,
    state: view.state,
    inFlight: view.inFlight,
    running: view.signals?.running ?? null,
    queueDepth: view.signals?.queueDepth ?? null,
    kvOccupancy: view.signals?.kvOccupancy ?? null,
    signalAgeMs: view.signals === null ? null : Math.max(0, nowMs - view.signals.observedAtMs),
    ttftP50Ms: window.ttft.quantile(0.5),
    ttftP99Ms: window.ttft.quantile(0.99),
    itlP50Ms: window.itl.quantile(0.5),
    hitRate: window.hitRate,
    requests: window.requests,
    failures: window.failures,
  };
}
