import type { Db } from "@evenkeel/db/connect";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Fleet } from "./fleet/fleet.ts";
import type { FirstPolicy } from "./policy/first-policy.ts";
import type { LastGoodPolicy } from "./policy/last-good-policy.ts";
import type { PolicyHolder } from "./policy/policy-holder.ts";
import { PolicyWatch } from "./policy/policy-watch.ts";
import type { DecisionLog } from "./record/decision-log.ts";
import { DecisionWriter } from "./record/decision-writer.ts";
import { RouterReports } from "./record/router-reports.ts";
import { SnapshotWriter } from "./record/snapshot-writer.ts";
import { VERSION } from "./version.ts";

export interface StoreOptions {
  readonly config: Config;
  readonly db: Db;
  readonly fleet: Fleet;
  readonly log: DecisionLog;
  readonly policy: PolicyHolder;
  readonly firstPolicy: FirstPolicy;
  readonly lastGood: LastGoodPolicy;
  readonly clock: Clock;
  readonly startedAtMs: number;
  readonly logger: Logger;
}

/** Everything that talks to the database; none of it is on a request's way. */
export interface Store {
  readonly decisions: DecisionWriter;
  readonly reports: RouterReports;
  /** Writes what is left and closes the connections. */
  close(): Promise<void>;
}

const POLICY_POLL_MS = 2_000;
const HEARTBEAT_MS = 2_000;
const BATCH_SIZE = 500;
const BATCH_INTERVAL_MS = 250;
const FLUSH_MS = 10_000;

export function startStore(options: StoreOptions): Store {
  const { config, db, fleet, log, policy, logger, clock } = options;
  const { routerId } = config;
  const policyWatch = new PolicyWatch({
    db,
    routerId,
    holder: policy,
    firstPolicy: options.firstPolicy,
    lastGood: options.lastGood,
    pollMs: POLICY_POLL_MS,
    logger,
  });
  const decisions = new DecisionWriter({
    db,
    log,
    logger,
    batchSize: BATCH_SIZE,
    intervalMs: BATCH_INTERVAL_MS,
  });
  const snapshots = new SnapshotWriter({ db, fleet, policy, routerId, clock, logger });
  const reports = new RouterReports({
    db,
    routerId,
    startedAtMs: options.startedAtMs,
    version: VERSION,
    intervalMs: HEARTBEAT_MS,
    policyRevision: () => policy.current.revision,
    records: () => ({ queued: log.pending + decisions.inHand, spooled: 0, dropped: log.dropped }),
    logger,
  });
  return {
    decisions,
    reports,
    close: async () => {
      await Promise.all([policyWatch.close(), snapshots.close(), reports.close()]);
      const left = await decisions.close(FLUSH_MS);
      if (left > 0) logger.error({ left }, "decisions were lost: the database did not take them in time");
      await db.close();
    },
  };
}
