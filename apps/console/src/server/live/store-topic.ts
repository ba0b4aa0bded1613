import { readFirstDataMs } from "./first-data.ts";
import type { Topic } from "./topic.ts";

/** A router that said nothing for this long counts as gone. */
const ROUTER_SILENT_MS = 15_000;

interface StoreState {
  /** The database's clock. */
  readonly nowMs: number;
  readonly routersAlive: number;
  readonly replicas: number;
  /** When the newest replica snapshot was taken; null when there is none. */
  readonly newestDataAtMs: number | null;
  /** When the oldest kept one was taken. */
  readonly firstDataAtMs: number | null;
}

interface StoreRow {
  readonly now: Date;
  readonly routers: number;
  readonly replicas: number;
  readonly newest: Date | null;
}

/** That the database answers, who reports to it, and how fresh its data are. */
export const storeTopic = {
  everyMs: 2_000,
  read: async (db) => {
    const [row] = await db.sql<StoreRow[]>`
      select now() as now,
        (select count(*)::int from routers
          where last_seen_at > now() - make_interval(secs => ${ROUTER_SILENT_MS / 1000})) as routers,
        (select count(*)::int from replicas where removed_at is null) as replicas,
        (select max(taken_at) from replica_snapshots where taken_at > now() - interval '1 day') as newest`;
    if (row === undefined) throw new Error("a query without a table answered with no row");
    return {
      nowMs: row.now.getTime(),
      routersAlive: row.routers,
      replicas: row.replicas,
      newestDataAtMs: row.newest?.getTime() ?? null,
      firstDataAtMs: await readFirstDataMs(db),
    };
  },
} satisfies Topic<StoreState>;
