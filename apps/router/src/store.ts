import { join } from "node:path";
import { type DatabaseRole, type Db, openDb } from "@evenkeel/db/connect";
import type { DecisionRecord } from "@evenkeel/db/decision-record";
import {
  RecordWriter,
  type RecordWriterEvent,
  type RecordWriterStats,
} from "@evenkeel/db/spool/record-writer";
import type { Replica } from "@evenkeel/scheduler/replica";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import type { Fleet } from "./fleet/fleet.ts";
import { ApiKeyWatch, type KeptApiKeys } from "./http/api-key-watch.ts";
import type { ApiKeys } from "./http/api-keys.ts";
import type { FirstPolicy } from "./policy/first-policy.ts";
import type { LastGoodPolicy } from "./policy/last-good-policy.ts";
import type { PolicyHolder } from "./policy/policy-holder.ts";
import { PolicyWatch } from "./policy/policy-watch.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { isDatabaseAway } from "./record/database-away.ts";
import { RetentionClock } from "./record/retention-clock.ts";
import { RouterReports } from "./record/router-reports.ts";
import { SnapshotClock } from "./record/snapshot-clock.ts";
import { RetryDelay } from "./retry-delay.ts";
import { VERSION } from "./version.ts";

export interface StoreOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly routerId: string;
  readonly fleet: Fleet;
  readonly policy: PolicyHolder;
  readonly firstPolicy: FirstPolicy;
  readonly lastGood: LastGoodPolicy;
  readonly apiKeys: ApiKeys;
  readonly keptApiKeys: KeptApiKeys;
  readonly clock: Clock;
  readonly startedAtMs: number;
  readonly logger: Logger;
}

const POLICY_POLL_MS = 2_000;
const HEARTBEAT_MS = 2_000;
const API_KEY_POLL_MS = 5_000;
const FLUSH_MS = 10_000;

/** What works once the database has been reached. */
interface Open {
  readonly db: Db;
  readonly policyWatch: PolicyWatch;
  readonly reports: RouterReports;
  readonly retention: RetentionClock;
  readonly apiKeyWatch: ApiKeyWatch;
}

/**
 * Everything that talks to the database; none of it is on a request's way. Decisions and snapshots go through a
 * spool on disk, so they need the database neither at the start nor later.
 */
export class Store {
  readonly #options: StoreOptions;
  readonly #delay = new RetryDelay(250, 10_000);
  readonly #records: RecordWriter;
  readonly #snapshots: SnapshotClock;
  readonly #opening: Promise<void>;
  #open: Open | null = null;
  #replicas: readonly Replica[] = [];
  #wake: (() => void) | null = null;
  #isClosed = false;

  constructor(options: StoreOptions) {
    const { dataDir, fleet, policy, routerId, clock, logger } = options;
    this.#options = options;
    this.#records = new RecordWriter({
      dir: join(dataDir, "spool"),
      onEvent: (event) => logEvent(logger, event),
    });
    this.#snapshots = new SnapshotClock({
      fleet,
      policy,
      routerId,
      clock,
      onSnapshots: (snapshots) => this.#records.appendSnapshots(snapshots),
    });
    this.#opening = this.#reach();
  }

  /** Takes a decision over; neither fails nor waits. */
  append(record: DecisionRecord): void {
    this.#records.append(record);
  }

  stats(): RecordWriterStats {
    return this.#records.stats();
  }

  /** A new fleet is in force. */
  fleetChanged(replicas: readonly Replica[]): void {
    this.#replicas = replicas;
    this.#open?.reports.fleetChanged(replicas);
  }

  /** Writes what is left, as far as the database takes it in time, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake?.();
    this.#snapshots.close();
    await this.#opening;
    const { waiting, dropped } = await this.#records.close(FLUSH_MS);
    if (waiting > 0) this.#options.logger.warn({ waiting }, "records wait in the spool for the next start");
    if (dropped > 0) this.#options.logger.error({ dropped }, "records were lost");
    if (this.#open === null) return;
    const { db, policyWatch, reports, retention, apiKeyWatch } = this.#open;
    await Promise.all([policyWatch.close(), reports.close(), retention.close(), apiKeyWatch.close()]);
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
        const problem = isDatabaseAway(error) ? "is away" : "cannot be used";
        if (!isTold)
          logger.warn({ err: error }, `the database ${problem}: requests are unaffected, records wait`);
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

  #start(role: DatabaseRole | null): void {
    const { url, routerId, policy, lastGood, apiKeys, keptApiKeys, clock, startedAtMs, logger } =
      this.#options;
    if (role === null)
      logger.warn("the database has no role of the router's own: it works with the user's rights");
    this.#records.useDatabase(url, role, "evenkeel router records");
    const db = openDb({ url, role, applicationName: "evenkeel router", max: 2 });
    const reports = new RouterReports({
      db,
      routerId,
      startedAtMs,
      version: VERSION,
      intervalMs: HEARTBEAT_MS,
      policyRevision: () => policy.current.revision,
      records: () => {
        const { buffered, waiting, dropped, refused } = this.#records.stats();
        return { queued: buffered, spooled: waiting, dropped: dropped + refused };
      },
      logger,
    });
    this.#open = {
      db,
      reports,
      apiKeyWatch: new ApiKeyWatch({ db, keys: apiKeys, kept: keptApiKeys, logger, pollMs: API_KEY_POLL_MS }),
      retention: new RetentionClock({ db, clock, policy: () => policy.current.document, logger }),
      policyWatch: new PolicyWatch({
        db,
        routerId,
        holder: policy,
        lastGood,
        pollMs: POLICY_POLL_MS,
        logger,
      }),
    };
    reports.fleetChanged(this.#replicas);
  }
}

function logEvent(logger: Logger, event: RecordWriterEvent): void {
  logger[levelOf(event)](event, `records: ${event.kind.replaceAll("_", " ")}`);
}

function levelOf(event: RecordWriterEvent): "info" | "warn" | "error" {
  switch (event.kind) {
    case "database_back":
      return "info";
    case "database_away":
      return "warn";
    case "upkeep":
      return event.problem === null ? "info" : "warn";
    default:
      return "error";
  }
}
