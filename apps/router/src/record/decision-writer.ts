import type { Db } from "@evenkeel/db/connect";
import type { DecisionRecord } from "@evenkeel/db/decision-record";
import { insertDecisions } from "@evenkeel/db/decisions";
import type { Logger } from "pino";
import { RetryDelay } from "../retry-delay.ts";
import type { DecisionLog } from "./decision-log.ts";

export interface DecisionWriterOptions {
  readonly db: Db;
  readonly log: DecisionLog;
  readonly logger: Logger;
  readonly batchSize: number;
  readonly intervalMs: number;
}

/**
 * Moves records from the log to the database in batches, by size or by age, whichever comes first. A batch stays in
 * hand until the database has taken it; ids make a second try harmless. While the database is away the log fills
 * up to its bound.
 */
export class DecisionWriter {
  readonly #options: DecisionWriterOptions;
  readonly #delay = new RetryDelay(200, 10_000);
  #inHand: DecisionRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;
  #isAway = false;
  #written = 0;
  #refused = 0;

  constructor(options: DecisionWriterOptions) {
    this.#options = options;
    options.log.notifyEvery(options.batchSize, () => {
      if (!this.#isAway) this.#run();
    });
    this.#wait(options.intervalMs);
  }

  get written(): number {
    return this.#written;
  }
  /** Records that no row can hold: trying again would not help. */
  get refused(): number {
    return this.#refused;
  }
  /** Records that have left the log and are not yet in the database. */
  get inHand(): number {
    return this.#inHand.length;
  }

  /** Writes what is left, within `limitMs`. Returns how many records could not be written. */
  async close(limitMs: number): Promise<number> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const giveUpAtMs = Date.now() + limitMs;
    await this.#running;
    while (this.#left > 0 && Date.now() < giveUpAtMs) {
      await this.#writeAll();
      if (this.#isAway) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return this.#left;
  }

  get #left(): number {
    return this.#inHand.length + this.#options.log.pending;
  }

  #wait(delayMs: number): void {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), delayMs);
  }

  #run(): void {
    if (this.#running !== null || this.#isClosed) return;
    this.#running = this.#writeAll().finally(() => {
      this.#running = null;
      this.#wait(this.#isAway ? this.#delay.next(Math.random()) : this.#options.intervalMs);
    });
  }

  async #writeAll(): Promise<void> {
    const { db, log, logger, batchSize } = this.#options;
    do {
      if (this.#inHand.length === 0) this.#inHand = log.take(batchSize);
      if (this.#inHand.length === 0) return;
      try {
        const { refused } = await insertDecisions(db, this.#inHand);
        this.#written += this.#inHand.length - refused.length;
        this.#refused += refused.length;
        if (refused.length > 0) logger.error({ refused }, "decisions cannot be stored");
        this.#inHand = [];
        if (this.#isAway) logger.info("decisions are written again");
        this.#isAway = false;
        this.#delay.reset();
      } catch (error) {
        if (!this.#isAway) logger.warn({ err: error }, "decisions cannot be written: they wait in memory");
        this.#isAway = true;
      }
    } while (!this.#isAway && log.pending > 0);
  }
}
