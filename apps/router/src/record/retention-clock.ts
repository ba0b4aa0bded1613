import type { Db } from "@evenkeel/db/connect";
import { enforceRetention, type RetentionDays } from "@evenkeel/db/retention";
import type { PolicyDocument } from "@evenkeel/scheduler/policy";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";

export interface RetentionClockOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly policy: () => PolicyDocument;
  readonly logger: Logger;
  /** Pause between two rounds; ten minutes unless given. */
  readonly roundMs?: number;
}

const ROUND_MS = 10 * 60_000;

/** Drops days past the policy's retention. Every router does it: doing it twice changes nothing. */
export class RetentionClock {
  readonly #options: RetentionClockOptions;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;

  constructor(options: RetentionClockOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#start(), options.roundMs ?? ROUND_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#round()
      .catch((error: unknown) => this.#options.logger.warn({ err: error }, "old days cannot be dropped now"))
      .finally(() => {
        this.#running = null;
      });
  }

  async #round(): Promise<void> {
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
