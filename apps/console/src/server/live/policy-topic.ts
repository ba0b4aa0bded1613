import type { PolicyRevisionKind } from "@evenkeel/db/policy-revisions";
import type { Topic } from "./topic.ts";

/** What a router last said about the live revision. */
export interface RouterAck {
  readonly status: "applied" | "refused";
  /** Why it refused. */
  readonly problem: string | null;
  readonly ackedAtMs: number;
}

export interface RouterState {
  readonly id: string;
  readonly host: string | null;
  readonly version: string | null;
  readonly lastSeenAtMs: number;
  /** The revision it routes by, null before it has one. */
  readonly policyRevision: number | null;
  /** Its word on the live revision; null while it has not spoken. */
  readonly ack: RouterAck | null;
}

export interface PolicyState {
  /** Null in a database without a policy. */
  readonly live: {
    readonly revision: number;
    readonly kind: PolicyRevisionKind;
    readonly author: string;
    readonly reason: string;
    readonly publishedAtMs: number;
  } | null;
  /** Routers seen in the last hour, by name. */
  readonly routers: readonly RouterState[];
}

interface LiveRow {
  readonly revision: number;
  readonly kind: PolicyRevisionKind;
  readonly author: string;
  readonly reason: string;
  readonly published_at: Date;
}

interface RouterRow {
  readonly id: string;
  readonly host: string | null;
  readonly version: string | null;
  readonly last_seen_at: Date;
  readonly policy_revision: number | null;
  readonly status: "applied" | "refused" | null;
  readonly problem: string | null;
  readonly acked_at: Date | null;
}

/** The live revision and each router's word on it. */
export const policyTopic = {
  everyMs: 1_000,
  read: async (db) => {
    const [live] = await db.sql<LiveRow[]>`
      select revision, kind, author, reason, published_at from policy_revisions order by revision desc limit 1`;
    const routers = await db.sql<RouterRow[]>`
      select r.id, r.host, r.version, r.last_seen_at, r.policy_revision, a.status, a.problem, a.acked_at
      from routers r
      left join lateral (
        select status, problem, acked_at from policy_acks
        where router_id = r.id and revision = ${live?.revision ?? 0}
        order by acked_at desc limit 1
      ) a on true
      where r.last_seen_at > now() - interval '1 hour'
      order by r.id`;
    return {
      live:
        live === undefined
          ? null
          : {
              revision: live.revision,
              kind: live.kind,
              author: live.author,
              reason: live.reason,
              publishedAtMs: live.published_at.getTime(),
            },
      routers: routers.map((row) => ({
        id: row.id,
        host: row.host,
        version: row.version,
        lastSeenAtMs: row.last_seen_at.getTime(),
        policyRevision: row.policy_revision,
        ack:
          row.status === null || row.acked_at === null
            ? null
            : { status: row.status, problem: row.problem, ackedAtMs: row.acked_at.getTime() },
      })),
    };
  },
} satisfies Topic<PolicyState>;
