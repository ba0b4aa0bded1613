import type { Db } from "@evenkeel/db/connect";
import { ensurePartitionsAhead } from "@evenkeel/db/partitions";
import { enforceRetention, type RetentionDays } from "@evenkeel/db/retention";
import { rollUp } from "@evenkeel/db/rollup";
import type { PolicyDocument } from "@evenkeel/scheduler/policy";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";

export interface UpkeepOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly policy: () => PolicyDocument;
  readonly logger: Logger;
  /** Pause between two rounds; a minute unless given. */
  readonly roundMs?: number;
}

const ROUND_MS = 60_000;
/** Partitions are made a week ahead and dropped by the day. */
const PARTITIONS_EVERY_MS = 60 * 60_000;

/**
 * Keeps the store in shape: trends rolled up, partitions made ahead, days past their retention dropped. Every
 * router does it; the database lets one at a time, and doing a thing twice changes nothing.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #partitionsDueAtMs = 0;
  #isClosed = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    // Nothing of it is urgent: a start has better things to do.
    this.#timer = setInterval(() => this.#start(), options.roundMs ?? ROUND_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#round()
      .catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, "the store's upkeep failed: it is tried again"),
      )
      .finally(() => {
        this.#running = null;
      });
  }

  async #round(): Promise<void> {
    const { db, clock } = this.#options;
    if (clock() >= this.#partitionsDueAtMs) {
      await ensurePartitionsAhead(db, clock());
      await this.#dropOldDays();
      this.#partitionsDueAtMs = clock() + PARTITIONS_EVERY_MS;
    }
    let isMore = true;
    while (isMore && !this.#isClosed) ({ isMore } = await rollUp(db, clock()));
  }

  async #dropOldDays(): Promise<void> {
    const { db, clock, policy, logger } = this.#options;
    for (const { table, dropped, error } of await enforceRetention(db, retentionOf(policy()), clock())) {
      if (error !== null)
        logger.warn({ err: error, table }, "old days could not be dropped: it is tried again");
      else if (dropped.length > 0) logger.info({ table, partitions: dropped.length }, "old days dropped");
    }
  }
}

function retentionOf({ retention }: PolicyDocument): RetentionDays {
  return {
    decisions: retention.decisionDays,
    replica_snapshots: retention.snapshotDays,
    replica_minutes: retention.minuteDays,
    decision_minutes: retention.minuteDays,
    replica_hours: retention.hourDays,
  };
}
