import { hostname } from "node:os";
import type { Db } from "@evenkeel/db/connect";
import { registerReplicas, removeReplicas } from "@evenkeel/db/replicas";
import { heartbeatRouter } from "@evenkeel/db/routers";
import type { Replica } from "@evenkeel/scheduler/replica";
import type { Logger } from "pino";
import { isDatabaseAway } from "./database-away.ts";

export interface RouterReportsOptions {
  readonly db: Db;
  readonly routerId: string;
  readonly startedAtMs: number;
  readonly version: string;
  readonly intervalMs: number;
  readonly policyRevision: () => number;
  readonly records: () => { queued: number; spooled: number; dropped: number };
  readonly logger: Logger;
}

/** Tells the store that this router lives and which replicas it knows; tries again at the next beat. */
export class RouterReports {
  readonly #options: RouterReportsOptions;
  readonly #timer: NodeJS.Timeout;
  #fleet: readonly Replica[] = [];
  #registered: readonly Replica[] | null = null;
  #running: Promise<void> | null = null;
  /** What was logged last, null since a report went well. */
  #problem: string | null = null;

  constructor(options: RouterReportsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.beat(), options.intervalMs);
  }

  /** A new fleet is in force. */
  fleetChanged(replicas: readonly Replica[]): void {
    this.#fleet = replicas;
    this.beat();
  }

  beat(): void {
    this.#running ??= this.#report().finally(() => {
      this.#running = null;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #report(): Promise<void> {
    const { db, logger, routerId, startedAtMs, version } = this.#options;
    const fleet = this.#fleet;
    const records = this.#options.records();
    const revision = this.#options.policyRevision();
    try {
      await heartbeatRouter(db, {
        id: routerId,
        startedAtMs,
        version,
        host: hostname(),
        policyRevision: revision === 0 ? null : revision,
        recordsQueued: records.queued,
        recordsSpooled: records.spooled,
        recordsDropped: records.dropped,
      });
      if (this.#registered !== fleet) await this.#register(fleet);
      this.#problem = null;
    } catch (error) {
      const problem = isDatabaseAway(error)
        ? "the database is away: requests are unaffected"
        : `the database refused this router's report: ${error instanceof Error ? error.message : String(error)}`;
      if (problem !== this.#problem) logger.warn({ err: error }, problem);
      this.#problem = problem;
    }
  }

  async #register(fleet: readonly Replica[]): Promise<void> {
    const { db } = this.#options;
    const ids = new Set(fleet.map((replica) => replica.id));
    const gone = (this.#registered ?? []).filter((replica) => !ids.has(replica.id));
    await registerReplicas(db, fleet);
    if (gone.length > 0) {
      await removeReplicas(
        db,
        gone.map((replica) => replica.id),
      );
    }
    this.#registered = fleet;
  }
}
