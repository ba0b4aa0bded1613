import type { Db } from "@evenkeel/db/connect";

/**
 * One thing the tabs follow. The hub reads it while at least one tab listens, once for all tabs, and sends it
 * only when it changed. A topic is state, not a log: a slow tab gets the newest value and misses those between.
 */
export interface Topic<T> {
  /** Milliseconds between two reads. */
  readonly everyMs: number;
  readonly read: (db: Db) => Promise<T>;
}
