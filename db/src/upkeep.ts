import { type Db, type OpenDbOptions, openDb } from "./connect.ts";
import { ensurePartitionsAhead } from "./partitions.ts";
import { rollUp } from "./rollup.ts";

export interface UpkeepOptions {
  readonly target: OpenDbOptions;
  /** Pause between two rounds, and before the first. */
  readonly intervalMs: number;
  /** Told when rounds begin to fail, and null when they work again. */
  readonly onProblem: (problem: string | null) => void;
}

/** Rounds of rollup per interval: a store that was left alone for days is caught up with gently. */
const MOST_ROLLUPS = 20;

/**
 * Keeps the store in order while it is written to: makes the coming days' partitions and rolls up the past minutes. Every
 * router runs one; whoever comes first does the work, the others find it done.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #db: Db;
  #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isFailing = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#db = openDb({ ...options.target, max: 1 });
    this.#timer = this.#schedule();
  }

  /** Ends after the round that runs, or gives it up within a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#db.close(1);
    await this.#running;
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#running = this.#round().finally(() => {
        if (!this.#isClosed) this.#timer = this.#schedule();
      });
    }, this.#options.intervalMs);
  }

  async #round(): Promise<void> {
    try {
      await ensurePartitionsAhead(this.#db, Date.now());
      for (let round = 0; round < MOST_ROLLUPS && !this.#isClosed; round++) {
        const { isBusy, isMore } = await rollUp(this.#db, Date.now());
        if (isBusy || !isMore) break;
      }
      if (this.#isFailing) this.#options.onProblem(null);
      this.#isFailing = false;
    } catch (error) {
      if (this.#isClosed) return;
      if (!this.#isFailing) this.#options.onProblem(error instanceof Error ? error.message : String(error));
      this.#isFailing = true;
    }
  }
}
