import { isIP } from "node:net";
import type postgres from "postgres";
import type { DocumentChange } from "./document-diff.ts";
import { jsonParameter } from "./json-parameter.ts";
import { storableText } from "./storable-text.ts";

export type AuditOrigin = "ui" | "api" | "cli" | "router";

/** Who acts, and from where. */
export interface Actor {
  readonly name: string;
  /** Null when the actor has none, as a router. */
  readonly role: string | null;
  readonly origin: AuditOrigin;
  /** Kept when it is an IP address. */
  readonly ip?: string | null;
  readonly requestId?: string | null;
}

export interface AuditEntry {
  readonly actor: Actor;
  /** Verb with its subject, as `policy.publish`. */
  readonly action: string;
  /** What it was done to, as `policy/42`. */
  readonly object: string;
  readonly diff: readonly DocumentChange[];
  readonly reason: string;
}

/** Writes an entry in the transaction of the change it tells of. */
export async function insertAuditEntry(tx: postgres.TransactionSql, entry: AuditEntry): Promise<void> {
  const { actor } = entry;
  await tx`
    insert into audit_entries (actor, role, action, object, diff, reason, origin, ip, request_id)
    values (${storableText(actor.name)}, ${actor.role}, ${entry.action}, ${entry.object}, ${jsonParameter(tx, entry.diff)},
      ${storableText(entry.reason)}, ${actor.origin}, ${addressOf(actor.ip)}, ${actor.requestId == null ? null : storableText(actor.requestId)})`;
}

/** An address Postgres can hold; anything else a proxy or client wrote is not worth failing the change for. */
function addressOf(ip: string | null | undefined): string | null {
  const [address] = (ip ?? "").split("%");
  return address !== undefined && isIP(address) !== 0 ? address : null;
}
