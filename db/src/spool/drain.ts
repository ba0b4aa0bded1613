import { type Db, type OpenDbOptions, openDb } from "../connect.ts";
import type { Block } from "./block.ts";
import { MemoryQueue } from "./memory-queue.ts";
import { Spool, type SpoolBatch } from "./spool.ts";
import { storeBlocks } from "./store-blocks.ts";

export interface DrainOptions {
  /** Folder of the spool. */
  readonly dir: string;
  readonly capBytes: number;
  /** Most bytes kept in memory while the spool cannot be written. */
  readonly memoryBytes: number;
  /** Most records of one insert. */
  readonly batchRecords: number;
  /** An insert that takes longer counts as failed, and its connection is given up. */
  readonly insertTimeoutMs: number;
  /** First and longest pause between tries while the database is away. */
  readonly retryMs: readonly [number, number];
  readonly onEvent: (event: DrainEvent) => void;
}

/** Changes worth a line in the log. */
export type DrainEvent =
  | { readonly kind: "database_away"; readonly problem: string }
  | { readonly kind: "database_back" }
  | { readonly kind: "spool_unusable"; readonly problem: string }
  | { readonly kind: "refused"; readonly records: number; readonly problem: string }
  | { readonly kind: "dropped"; readonly records: number }
  /** Partitions and rollups cannot be kept up; null: they can again. */
  | { readonly kind: "upkeep"; readonly problem: string | null };

/** Where the records are that were accepted, an earlier process's among them: accepted = stored + refused + dropped + waiting, and what `discardedBytes` held. */
export interface DrainStats {
  readonly accepted: number;
  readonly stored: number;
  readonly refused: number;
  /** Lost to the caps of spool and memory. */
  readonly dropped: number;
  /** On disk or, while the disk cannot be written, in memory. */
  readonly waiting: number;
  readonly spoolBytes: number;
  /** Found torn or damaged on disk. */
  readonly discardedBytes: number;
  readonly isDatabaseAway: boolean;
  readonly isSpoolUsable: boolean;
}

/**
 * Brings blocks to the database in order and exactly once. Every block goes to the spool first, so that a killed process
 * loses none; in ordinary times it leaves it within milliseconds and the disk never sees it. What an earlier process left
 * is brought too, first.
 */
export class Drain {
  readonly #options: DrainOptions;
  readonly #spool: Spool | null;
  readonly #memory: MemoryQueue;
  #target: OpenDbOptions | null = null;
  #db: Db | null = null;
  #running: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #isClosed = false;
  #isAway = false;
  #isSpoolUsable: boolean;
  #accepted = 0;
  #stored = 0;
  #refused = 0;
  #toldDropped = 0;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#memory = new MemoryQueue(options.memoryBytes);
    this.#spool = this.#openSpool();
    this.#isSpoolUsable = this.#spool !== null;
    this.#accepted = this.#spool?.records ?? 0;
  }

  /** Where to bring the blocks; until it is known they gather. */
  useDatabase(target: OpenDbOptions): void {
    this.#target = target;
    this.#run();
  }

  /** Takes a block over. Never throws: what can be kept nowhere is counted as dropped. */
  accept(block: Block): void {
    this.#accepted += block.records;
    if (!this.#appendToSpool(block)) this.#memory.push(block);
    this.#tellDropped();
    this.#run();
  }

  stats(): DrainStats {
    return {
      accepted: this.#accepted,
      stored: this.#stored,
      refused: this.#refused,
      dropped: this.#dropped,
      waiting: (this.#spool?.records ?? 0) + this.#memory.records,
      spoolBytes: this.#spool?.bytes ?? 0,
      discardedBytes: this.#spool?.discardedBytes ?? 0,
      isDatabaseAway: this.#isAway,
      isSpoolUsable: this.#isSpoolUsable,
    };
  }

  /** Brings what waits, for at most `limitMs`, and closes. What still waits on disk stays for the next process. */
  async close(limitMs: number): Promise<DrainStats> {
    const giveUpAt = performance.now() + limitMs;
    while (this.#hasWork() && this.#target !== null && performance.now() < giveUpAt) {
      this.#run();
      this.#wake?.();
      await Promise.race([this.#running, pause(Math.max(0, giveUpAt - performance.now()))]);
      if (this.#isAway) await pause(Math.min(200, Math.max(0, giveUpAt - performance.now())));
    }
    this.#isClosed = true;
    this.#wake?.();
    const stats = this.stats();
    this.#spool?.close();
    await this.#closeDb();
    return stats;
  }

  get #dropped(): number {
    return this.#memory.dropped + (this.#spool?.dropped ?? 0);
  }

  #hasWork(): boolean {
    return (this.#spool?.records ?? 0) + this.#memory.records > 0;
  }

  #run(): void {
    if (this.#running !== null || this.#isClosed || this.#target === null) return;
    this.#running = this.#bringAll().finally(() => {
      this.#running = null;
      if (!this.#isAway && this.#hasWork()) this.#run();
    });
  }

  async #bringAll(): Promise<void> {
    let retryMs = this.#options.retryMs[0];
    while (!this.#isClosed) {
      let spooled: SpoolBatch | null;
      let blocks: readonly Block[];
      try {
        // Memory holds what came while the disk was full, and so is younger than what the spool holds.
        spooled = this.#spool?.peek(this.#options.batchRecords) ?? null;
        blocks = spooled?.blocks ?? this.#memory.peek(this.#options.batchRecords);
        if (blocks.length === 0) return;
        await this.#store(blocks);
      } catch (error) {
        this.#memory.release();
        await this.#failed(error, retryMs);
        retryMs = Math.min(retryMs * 2, this.#options.retryMs[1]);
        continue;
      }
      if (this.#isClosed) return;
      if (spooled) this.#spool?.acknowledge();
      else this.#memory.acknowledge(blocks.length);
      retryMs = this.#options.retryMs[0];
      if (this.#isAway) this.#options.onEvent({ kind: "database_back" });
      this.#isAway = false;
    }
  }

  async #store(blocks: readonly Block[]): Promise<void> {
    if (this.#target === null) throw new Error("no database is known yet");
    this.#db ??= openDb(this.#target);
    const { stored, refused, problem } = await within(
      this.#options.insertTimeoutMs,
      storeBlocks(this.#db, blocks),
    );
    this.#stored += stored;
    this.#refused += refused;
    if (problem !== null) this.#options.onEvent({ kind: "refused", records: refused, problem });
  }

  async #failed(error: unknown, retryMs: number): Promise<void> {
    const problem = error instanceof Error ? error.message || error.name : String(error);
    if (!this.#isAway) this.#options.onEvent({ kind: "database_away", problem });
    this.#isAway = true;
    // Its connections may lead to a server that became read-only, or nowhere: the next try makes new ones.
    await this.#closeDb();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, retryMs * (0.5 + Math.random() / 2));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  async #closeDb(): Promise<void> {
    const db = this.#db;
    this.#db = null;
    await db?.close(0).catch(() => {});
  }

  #openSpool(): Spool | null {
    try {
      return new Spool({ dir: this.#options.dir, capBytes: this.#options.capBytes });
    } catch (error) {
      this.#options.onEvent({ kind: "spool_unusable", problem: messageOf(error) });
      return null;
    }
  }

  #appendToSpool(block: Block): boolean {
    if (this.#spool === null) return false;
    try {
      // What gathered in memory while the disk was full is older and goes first.
      for (let older = this.#memory.oldestIdle(); older !== null; older = this.#memory.oldestIdle()) {
        this.#spool.append(older);
        this.#memory.acknowledge(1);
      }
      if (this.#memory.records > 0) return false;
      this.#spool.append(block);
      this.#isSpoolUsable = true;
      return true;
    } catch (error) {
      if (this.#isSpoolUsable) this.#options.onEvent({ kind: "spool_unusable", problem: messageOf(error) });
      this.#isSpoolUsable = false;
      return false;
    }
  }

  #tellDropped(): void {
    const records = this.#dropped - this.#toldDropped;
    if (records === 0) return;
    this.#toldDropped = this.#dropped;
    this.#options.onEvent({ kind: "dropped", records });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @throws Error when the work is not done in time; it then goes on unheeded */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the database did not answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
