import { type Db, openDb } from "@evenkeel/db/connect";
import type { Replica } from "@evenkeel/scheduler/replica";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import type { Fleet } from "./fleet/fleet.ts";
import type { FirstPolicy } from "./policy/first-policy.ts";
import type { LastGoodPolicy } from "./policy/last-good-policy.ts";
import type { PolicyHolder } from "./policy/policy-holder.ts";
import { PolicyWatch } from "./policy/policy-watch.ts";
import { prepareDatabase } from "./prepare-database.ts";
import type { DecisionLog } from "./record/decision-log.ts";
import { DecisionWriter } from "./record/decision-writer.ts";
import { RouterReports } from "./record/router-reports.ts";
import { SnapshotWriter } from "./record/snapshot-writer.ts";
import { RetryDelay } from "./retry-delay.ts";
import { VERSION } from "./version.ts";

export interface StoreOptions {
  readonly url: string;
  readonly routerId: string;
  readonly fleet: Fleet;
  readonly log: DecisionLog;
  readonly policy: PolicyHolder;
  readonly firstPolicy: FirstPolicy;
  readonly lastGood: LastGoodPolicy;
  readonly clock: Clock;
  readonly startedAtMs: number;
  readonly logger: Logger;
}

const POLICY_POLL_MS = 2_000;
const HEARTBEAT_MS = 2_000;
const BATCH_SIZE = 500;
const BATCH_INTERVAL_MS = 250;
const FLUSH_MS = 10_000;

/** What works once the database has been reached. */
interface Open {
  readonly db: Db;
  readonly policyWatch: PolicyWatch;
  readonly decisions: DecisionWriter;
  readonly snapshots: SnapshotWriter;
  readonly reports: RouterReports;
}

/**
 * Everything that talks to the database; none of it is on a request's way. While the database has not been reached
 * yet, decisions gather in the log.
 */
export class Store {
  readonly #options: StoreOptions;
  readonly #delay = new RetryDelay(250, 10_000);
  #open: Open | null = null;
  #opening: Promise<void>;
  #replicas: readonly Replica[] = [];
  #wake: (() => void) | null = null;
  #isClosed = false;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#opening = this.#reach();
  }

  /** Decisions in the database, and those that have left the log on their way there. */
  get written(): number {
    return this.#open?.decisions.written ?? 0;
  }
  get inHand(): number {
    return this.#open?.decisions.inHand ?? 0;
  }
  /** Decisions that no row can hold. */
  get refused(): number {
    return this.#open?.decisions.refused ?? 0;
  }

  /** A new fleet is in force. */
  fleetChanged(replicas: readonly Replica[]): void {
    this.#replicas = replicas;
    this.#open?.reports.fleetChanged(replicas);
  }

  /** Writes what is left and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake?.();
    await this.#opening;
    const { log, logger } = this.#options;
    if (this.#open === null) {
      if (log.pending > 0)
        logger.error({ lost: log.pending }, "decisions were lost: the database never answered");
      return;
    }
    const { db, policyWatch, snapshots, reports, decisions } = this.#open;
    const left = await decisions.close(FLUSH_MS);
    await Promise.all([policyWatch.close(), snapshots.close(), reports.close()]);
    if (left > 0) logger.error({ lost: left }, "decisions were lost: the database did not take them in time");
    await db.close();
  }

  async #reach(): Promise<void> {
    const { url, firstPolicy, logger } = this.#options;
    let isTold = false;
    while (!this.#isClosed) {
      try {
        const role = await prepareDatabase(url, firstPolicy, logger);
        if (!this.#isClosed) this.#start(role);
        return;
      } catch (error) {
        if (!isTold)
          logger.warn({ err: error }, "the database is away: requests are unaffected, decisions wait");
        isTold = true;
        await this.#pause(this.#delay.next(Math.random()));
      }
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #start(role: Awaited<ReturnType<typeof prepareDatabase>>): void {
    const { url, routerId, fleet, log, policy, lastGood, clock, startedAtMs, logger } = this.#options;
    if (role === null)
      logger.warn("the database has no role of the router's own: it works with the user's rights");
    const db = openDb({ url, role, applicationName: "evenkeel router", max: 3 });
    const decisions = new DecisionWriter({
      db,
      log,
      logger,
      batchSize: BATCH_SIZE,
      intervalMs: BATCH_INTERVAL_MS,
    });
    this.#open = {
      db,
      decisions,
      policyWatch: new PolicyWatch({
        db,
        routerId,
        holder: policy,
        lastGood,
        pollMs: POLICY_POLL_MS,
        logger,
      }),
      snapshots: new SnapshotWriter({ db, fleet, policy, routerId, clock, logger }),
      reports: new RouterReports({
        db,
        routerId,
        startedAtMs,
        version: VERSION,
        intervalMs: HEARTBEAT_MS,
        policyRevision: () => policy.current.revision,
        records: () => ({
          queued: log.pending + decisions.inHand,
          spooled: 0,
          dropped: log.dropped + decisions.refused,
        }),
        logger,
      }),
    };
    this.#open.reports.fleetChanged(this.#replicas);
  }
}
