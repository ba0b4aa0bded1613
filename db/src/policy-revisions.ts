import { type CompiledPolicy, compilePolicy, type PolicyProblem } from "@evenkeel/scheduler/compile-policy";
import type { PolicyDocument } from "@evenkeel/scheduler/policy";
import type postgres from "postgres";
import { type Actor, insertAuditEntry } from "./audit-entries.ts";
import type { Db } from "./connect.ts";
import { DbError } from "./db-error.ts";
import { diffDocuments } from "./document-diff.ts";
import { jsonParameter } from "./json-parameter.ts";
import { unstorableTexts } from "./storable-document.ts";
import { storableText } from "./storable-text.ts";

/** The channel a publish is announced on; the payload is the revision. A hint only: a poll is the truth. */
export const POLICY_CHANNEL = "evenkeel_policy";

export type PolicyRevisionKind = "initial" | "publish" | "rollback";

export interface PolicyRevision {
  readonly revision: number;
  readonly kind: PolicyRevisionKind;
  /** As published, defaults filled in. Documents of older releases may not compile any more: compile before use. */
  readonly document: unknown;
  /** The YAML as it was typed. */
  readonly source: string;
  readonly baseRevision: number | null;
  readonly ofRevision: number | null;
  readonly author: string;
  readonly reason: string;
  readonly publishedAtMs: number;
}

export type PublishResult =
  | { readonly kind: "published"; readonly revision: number }
  /** Someone published since the base was read: nothing was written. */
  | { readonly kind: "conflict"; readonly live: PolicyRevision }
  | { readonly kind: "invalid"; readonly problems: readonly PolicyProblem[] };

export interface PublishRequest {
  /** The parsed document, unchecked. */
  readonly document: unknown;
  readonly source: string;
  /** The revision the author started from. */
  readonly baseRevision: number;
  /** Why, in the author's words; must not be blank. */
  readonly reason: string;
  readonly actor: Actor;
}

/**
 * Makes a document the live policy: dry-run compile, compare-and-swap on the base revision, revision, audit entry and
 * notification in one transaction. Of several concurrent publishes on one base exactly one wins. Revisions have no gaps.
 * @throws DbError reason_required
 */
export async function publishPolicy(db: Db, request: PublishRequest): Promise<PublishResult> {
  requireReason(request.reason);
  return await db.sql.begin(async (tx) => {
    const live = await lockLive(tx);
    if (live === null || live.revision !== request.baseRevision)
      return conflictWith(live, request.baseRevision);
    return await append(tx, live, { ...request, kind: "publish", ofRevision: null });
  });
}

export interface RollbackRequest {
  /** The revision whose document comes back. */
  readonly toRevision: number;
  readonly baseRevision: number;
  readonly reason: string;
  readonly actor: Actor;
}

/**
 * Publishes the document of an earlier revision as a new one; history only grows. Invalid when this release no longer
 * accepts that document.
 * @throws DbError reason_required | unknown_revision
 */
export async function rollbackPolicy(db: Db, request: RollbackRequest): Promise<PublishResult> {
  requireReason(request.reason);
  return await db.sql.begin(async (tx) => {
    const live = await lockLive(tx);
    const rows = await tx<
      RevisionRow[]
    >`select * from policy_revisions where revision = ${request.toRevision}`;
    const target = rows[0];
    if (target === undefined) {
      throw new DbError(
        "unknown_revision",
        `There is no policy revision ${request.toRevision} to roll back to.`,
      );
    }
    if (live === null || live.revision !== request.baseRevision)
      return conflictWith(live, request.baseRevision);
    return await append(tx, live, {
      ...request,
      document: target.document,
      source: target.source,
      kind: "rollback",
      ofRevision: target.revision,
    });
  });
}

export type SeedResult =
  | { readonly kind: "seeded"; readonly revision: number }
  /** The database already has a policy, which stays. */
  | { readonly kind: "present"; readonly live: PolicyRevision }
  | { readonly kind: "invalid"; readonly problems: readonly PolicyProblem[] };

/** Writes the first revision of an empty database; does nothing when there is one. Safe to call from several programs at once. */
export async function seedPolicy(
  db: Db,
  seed: { readonly document: unknown; readonly source: string },
): Promise<SeedResult> {
  return await db.sql.begin(async (tx) => {
    const live = await lockLive(tx);
    if (live !== null) return { kind: "present", live };
    const result = await append(tx, null, {
      ...seed,
      kind: "initial",
      ofRevision: null,
      reason: "First policy of an empty database",
      actor: { name: "evenkeel", role: null, origin: "cli" },
    });
    return result.kind === "published" ? { kind: "seeded", revision: result.revision } : result;
  });
}

/** The revision in force, null in a database without one. */
export async function livePolicy(db: Db): Promise<PolicyRevision | null> {
  const rows = await db.sql<RevisionRow[]>`select * from policy_revisions order by revision desc limit 1`;
  return rows[0] ? revisionOf(rows[0]) : null;
}

/** One revision, null when there is none of that number. */
export async function policyRevision(db: Db, revision: number): Promise<PolicyRevision | null> {
  const rows = await db.sql<RevisionRow[]>`select * from policy_revisions where revision = ${revision}`;
  return rows[0] ? revisionOf(rows[0]) : null;
}

/** Revisions, newest first. `before` continues a list: revisions below it. */
export async function policyHistory(
  db: Db,
  page: { readonly limit?: number; readonly before?: number } = {},
): Promise<PolicyRevision[]> {
  const rows = await db.sql<RevisionRow[]>`
    select * from policy_revisions where revision < ${page.before ?? 2 ** 31 - 1}
    order by revision desc limit ${page.limit ?? 100}`;
  return rows.map(revisionOf);
}

interface RevisionRow {
  readonly revision: number;
  readonly kind: PolicyRevisionKind;
  readonly document: unknown;
  readonly source: string;
  readonly base_revision: number | null;
  readonly of_revision: number | null;
  readonly author: string;
  readonly reason: string;
  readonly published_at: Date;
}

function revisionOf(row: RevisionRow): PolicyRevision {
  return {
    revision: row.revision,
    kind: row.kind,
    document: row.document,
    source: row.source,
    baseRevision: row.base_revision,
    ofRevision: row.of_revision,
    author: row.author,
    reason: row.reason,
    publishedAtMs: row.published_at.getTime(),
  };
}

/** The live revision, with every other publish kept out until this transaction ends. */
async function lockLive(tx: postgres.TransactionSql): Promise<PolicyRevision | null> {
  await tx`select pg_advisory_xact_lock(hashtext('evenkeel_policy'))`;
  const rows = await tx<RevisionRow[]>`select * from policy_revisions order by revision desc limit 1`;
  return rows[0] ? revisionOf(rows[0]) : null;
}

function conflictWith(live: PolicyRevision | null, baseRevision: number): PublishResult {
  if (live === null) {
    throw new DbError(
      "unknown_revision",
      `Base revision ${baseRevision} does not exist: the database has no policy yet. Start the router once, or set POLICY_FILE.`,
    );
  }
  return { kind: "conflict", live };
}

interface Append {
  readonly document: unknown;
  readonly source: string;
  readonly reason: string;
  readonly actor: Actor;
  readonly kind: PolicyRevisionKind;
  readonly ofRevision: number | null;
}

async function append(
  tx: postgres.TransactionSql,
  live: PolicyRevision | null,
  change: Append,
): Promise<Exclude<PublishResult, { kind: "conflict" }>> {
  const revision = (live?.revision ?? 0) + 1;
  const compiled = compilePolicy(change.document, revision);
  if (!compiled.ok) return { kind: "invalid", problems: compiled.problems };
  const document = filled(compiled.policy);
  const unstorable = unstorableTexts(document);
  if (unstorable.length > 0) return { kind: "invalid", problems: unstorable };
  await tx`
    insert into policy_revisions (revision, kind, document, source, base_revision, of_revision, author, reason)
    values (${revision}, ${change.kind}, ${jsonParameter(tx, document)}, ${storableText(change.source)},
      ${live?.revision ?? null}, ${change.ofRevision}, ${storableText(change.actor.name)}, ${storableText(change.reason)})`;
  await insertAuditEntry(tx, {
    actor: change.actor,
    action: `policy.${change.kind}`,
    object: `policy/${revision}`,
    diff: diffDocuments(live?.document ?? {}, document),
    reason: change.reason,
  });
  await tx`select pg_notify(${POLICY_CHANNEL}, ${String(revision)})`;
  return { kind: "published", revision };
}

/** As JSON holds it, so that the diff against a stored document sees no difference where there is none. */
function filled(policy: CompiledPolicy): PolicyDocument {
  return JSON.parse(JSON.stringify(policy.document));
}

function requireReason(reason: string): void {
  if (reason.trim() === "") {
    throw new DbError("reason_required", "A policy change needs a reason: say in a few words why.");
  }
}
