import { Worker } from "node:worker_threads";
import type { DatabaseRole } from "../connect.ts";
import type { DecisionRecord } from "../decision-record.ts";
import type { ReplicaSnapshot } from "../replica-snapshot.ts";
import type { Block } from "./block.ts";
import { writeDecision } from "./decision-frame.ts";
import type { DrainEvent, DrainStats } from "./drain.ts";
import { FrameWriter } from "./frame-writer.ts";
import { snapshotBlock } from "./record-block.ts";
import type { DrainWorkerData, FromDrain, ToDrain } from "./worker-messages.ts";

export interface RecordWriterOptions {
  /** Folder of the spool; one writer each. */
  readonly dir: string;
  /** Most bytes of the spool; 512 MiB holds some 350,000 decisions of ten candidates. */
  readonly capBytes?: number;
  /** Longest time a record stays in this thread: what a killed process loses. */
  readonly flushMs?: number;
  /** Told of changes worth a line in the log. */
  readonly onEvent?: (event: RecordWriterEvent) => void;
  /** For tests: times of the drain. */
  readonly retryMs?: readonly [number, number];
  readonly insertTimeoutMs?: number;
}

export type RecordWriterEvent = DrainEvent | { readonly kind: "writer_failed"; readonly problem: string };

/** accepted = stored + refused + dropped + waiting, once `buffered` is 0; see `DrainStats`. */
export interface RecordWriterStats extends DrainStats {
  /** Records not yet on disk: all that a killed process would lose. */
  readonly buffered: number;
}

const MIB = 1024 * 1024;
const BLOCK_RECORDS = 500;
const BLOCK_BYTES = MIB;
/** Above this many records on their way to the drain it is taken to be stuck, and new ones are dropped. */
const MOST_UNHANDLED = 200_000;
const NOTHING: DrainStats = {
  accepted: 0,
  stored: 0,
  refused: 0,
  dropped: 0,
  waiting: 0,
  spoolBytes: 0,
  discardedBytes: 0,
  isDatabaseAway: false,
  isSpoolUsable: true,
};

/**
 * Takes records off a program's thread: packs them into blocks and hands those to a thread of its own, which spools them
 * and brings them to the database. `append` costs a few microseconds, and can neither fail nor wait.
 */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  readonly #frames = new FrameWriter();
  readonly #flushMs: number;
  #records = 0;
  #timer: NodeJS.Timeout | null = null;
  #worker: Worker;
  #database: Extract<ToDrain, { kind: "database" }> | null = null;
  /** Numbers of threads that ended, and what this thread counted itself. */
  #before = NOTHING;
  #now = NOTHING;
  #posted = 0;
  #handled = 0;
  #dropped = 0;
  #refused = 0;
  #closing: ((stats: DrainStats) => void) | null = null;
  #isClosed = false;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    this.#flushMs = options.flushMs ?? 250;
    this.#worker = this.#start();
  }

  /** Where to bring the records; until it is known they gather in the spool. */
  useDatabase(url: string, role: DatabaseRole | null, applicationName = "evenkeel records"): void {
    this.#database = { kind: "database", url, role, applicationName };
    this.#post(this.#database);
  }

  /** Takes a decision over. Never throws and never waits. */
  append(record: DecisionRecord): void {
    if (this.#isClosed || this.#isStuck) {
      this.#dropped++;
      return;
    }
    try {
      this.#frames.attempt(() => writeDecision(this.#frames, record));
    } catch {
      this.#refused++;
      return;
    }
    this.#records++;
    if (this.#records >= BLOCK_RECORDS || this.#frames.length >= BLOCK_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#flushMs);
  }

  /** Takes snapshots over, which are few: they go to the drain at once. */
  appendSnapshots(snapshots: readonly ReplicaSnapshot[]): void {
    if (snapshots.length === 0) return;
    if (this.#isClosed || this.#isStuck) this.#dropped += snapshots.length;
    else this.#hand(snapshotBlock(snapshots));
  }

  /** Hands what has gathered to the drain now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#records === 0) return;
    const block: Block = { kind: "decisions", records: this.#records, payload: this.#frames.take() };
    this.#records = 0;
    this.#hand(block);
  }

  stats(): RecordWriterStats {
    const buffered = this.#records + this.#posted - this.#handled;
    const before = this.#before;
    const now = this.#now;
    return {
      ...now,
      accepted: before.accepted + now.accepted + buffered + this.#dropped + this.#refused,
      stored: before.stored + now.stored,
      refused: before.refused + now.refused + this.#refused,
      dropped: before.dropped + now.dropped + this.#dropped,
      buffered,
    };
  }

  /**
   * Stops taking records, brings those it has, for at most `limitMs`, and ends the thread. What the database did not take
   * by then stays in the spool for the next start.
   */
  async close(limitMs: number): Promise<RecordWriterStats> {
    this.flush();
    this.#isClosed = true;
    const closed = new Promise<DrainStats>((resolve) => {
      this.#closing = resolve;
    });
    this.#post({ kind: "close", limitMs });
    this.#now = await closed;
    this.#handled = this.#posted;
    await this.#worker.terminate();
    return this.stats();
  }

  get #isStuck(): boolean {
    return this.#posted - this.#handled > MOST_UNHANDLED;
  }

  #hand(block: Block): void {
    this.#posted += block.records;
    this.#post({ kind: "block", block: block.kind, records: block.records, payload: block.payload });
  }

  #post(message: ToDrain): void {
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const { dir, capBytes, retryMs, insertTimeoutMs } = this.#options;
    const workerData: DrainWorkerData = {
      dir,
      capBytes: capBytes ?? 512 * MIB,
      memoryBytes: 64 * MIB,
      batchRecords: BLOCK_RECORDS,
      insertTimeoutMs: insertTimeoutMs ?? 30_000,
      retryMs: retryMs ?? [200, 10_000],
    };
    const worker = new Worker(new URL("./drain-worker.ts", import.meta.url), { workerData });
    worker.on("message", (message: FromDrain) => this.#heard(message));
    worker.on("error", (error) => this.#failed(error));
    return worker;
  }

  #heard(message: FromDrain): void {
    if (message.kind === "event") this.#options.onEvent?.(message.event);
    else if (message.kind === "closed") this.#closing?.(message.stats);
    else {
      this.#now = message.stats;
      this.#handled = message.handled;
    }
  }

  /** The thread ended by a fault of its own. What it had spooled is taken up by the next. */
  #failed(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    this.#options.onEvent?.({ kind: "writer_failed", problem });
    if (this.#closing) {
      this.#closing(this.#now);
      return;
    }
    const lost = this.#posted - this.#handled;
    this.#dropped += lost;
    this.#before = {
      ...NOTHING,
      // The next thread counts what waits as accepted again.
      accepted: this.#before.accepted + this.#now.accepted - this.#now.waiting,
      stored: this.#before.stored + this.#now.stored,
      refused: this.#before.refused + this.#now.refused,
      dropped: this.#before.dropped + this.#now.dropped,
    };
    this.#now = NOTHING;
    this.#posted = 0;
    this.#handled = 0;
    this.#worker = this.#start();
    if (this.#database) this.#post(this.#database);
  }
}
