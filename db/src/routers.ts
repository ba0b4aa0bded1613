import type { Db } from "./connect.ts";

export interface RouterHeartbeat {
  readonly id: string;
  readonly startedAtMs: number;
  readonly version: string;
  readonly host: string;
  /** The revision it routes by, null before it has one. */
  readonly policyRevision: number | null;
  /** Records in memory, on disk, and dropped since it started. */
  readonly recordsQueued: number;
  readonly recordsSpooled: number;
  readonly recordsDropped: number;
}

/** Says that a router is alive and how it fares. */
export async function heartbeatRouter(db: Db, beat: RouterHeartbeat): Promise<void> {
  await db.sql`
    insert into routers (id, started_at, last_seen_at, version, host, policy_revision,
      records_queued, records_spooled, records_dropped)
    values (${beat.id}, ${new Date(beat.startedAtMs)}, now(), ${beat.version}, ${beat.host}, ${beat.policyRevision},
      ${beat.recordsQueued}, ${beat.recordsSpooled}, ${beat.recordsDropped})
    on conflict (id) do update set started_at = excluded.started_at, last_seen_at = excluded.last_seen_at,
      version = excluded.version, host = excluded.host, policy_revision = excluded.policy_revision,
      records_queued = excluded.records_queued, records_spooled = excluded.records_spooled,
      records_dropped = excluded.records_dropped`;
}
