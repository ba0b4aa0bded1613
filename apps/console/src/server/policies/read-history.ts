import type { Db } from "@evenkeel/db/connect";
import type { PolicyRevisionKind } from "@evenkeel/db/policy-revisions";

/** A line of the version list. */
export interface RevisionSummary {
  readonly revision: number;
  readonly kind: PolicyRevisionKind;
  readonly baseRevision: number | null;
  /** For a rollback, the revision it brought back. */
  readonly ofRevision: number | null;
  readonly author: string;
  readonly reason: string;
  readonly publishedAtMs: number;
  /** Routers whose last word on it was that they applied, or refused, it. */
  readonly applied: number;
  readonly refused: number;
}

interface Row {
  readonly revision: number;
  readonly kind: PolicyRevisionKind;
  readonly base_revision: number | null;
  readonly of_revision: number | null;
  readonly author: string;
  readonly reason: string;
  readonly published_at: Date;
  readonly applied: number;
  readonly refused: number;
}

/** Revisions below `before`, newest first. */
export async function readHistory(
  db: Db,
  page: { readonly limit: number; readonly before: number | null },
): Promise<readonly RevisionSummary[]> {
  const rows = await db.sql<Row[]>`
    select p.revision, p.kind, p.base_revision, p.of_revision, p.author, p.reason, p.published_at,
      coalesce(a.applied, 0)::int as applied, coalesce(a.refused, 0)::int as refused
    from (
      select * from policy_revisions
      where ${page.before}::int is null or revision < ${page.before}::int
      order by revision desc limit ${page.limit}
    ) p
    left join lateral (
      select count(*) filter (where status = 'applied') as applied, count(*) filter (where status = 'refused') as refused
      from (
        select distinct on (router_id) status from policy_acks
        where revision = p.revision order by router_id, acked_at desc
      ) latest
    ) a on true
    order by p.revision desc`;
  return rows.map((row) => ({
    revision: row.revision,
    kind: row.kind,
    baseRevision: row.base_revision,
    ofRevision: row.of_revision,
    author: row.author,
    reason: row.reason,
    publishedAtMs: row.published_at.getTime(),
    applied: row.applied,
    refused: row.refused,
  }));
}
