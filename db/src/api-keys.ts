import { createHash, randomBytes } from "node:crypto";
import { type Actor, insertAuditEntry } from "./audit-entries.ts";
import type { Db } from "./connect.ts";
import { DbError } from "./db-error.ts";

/** A client's key as a router needs it. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  /** Most requests of the key in flight on one router; null: no limit of its own. */
  readonly maxInFlight: number | null;
}

export interface NewApiKey {
  /** Whom it is for, in the operator's words. */
  readonly name: string;
  readonly maxInFlight?: number | null;
  readonly reason: string;
  readonly actor: Actor;
}

/** What `createApiKey` hands out: `key` is shown once and kept nowhere. */
export interface CreatedApiKey {
  readonly id: string;
  readonly key: string;
}

/** 192 random bits after a prefix that secret scanners can look for. */
const KEY_PREFIX = "ek_";

/** SHA-256 of a key, in hexadecimal. */
export function apiKeyHash(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Makes a key; only its hash is stored. @throws DbError reason_required */
export async function createApiKey(db: Db, request: NewApiKey): Promise<CreatedApiKey> {
  requireReason(request.reason);
  const key = `${KEY_PREFIX}${randomBytes(24).toString("base64url")}`;
  const id = `key_${randomBytes(8).toString("hex")}`;
  const maxInFlight = request.maxInFlight ?? null;
  await db.sql.begin(async (tx) => {
    await tx`
      insert into api_keys (id, name, key_hash, max_in_flight, created_by)
      values (${id}, ${request.name}, ${Buffer.from(apiKeyHash(key), "hex")}, ${maxInFlight}, ${request.actor.name})`;
    await insertAuditEntry(tx, {
      actor: request.actor,
      action: "api_key.create",
      object: `api_key/${id}`,
      diff: [{ path: [], kind: "added", after: { name: request.name, maxInFlight } }],
      reason: request.reason,
    });
  });
  return { id, key };
}

/** Makes a key useless within the routers' next look. @throws DbError reason_required | unknown_api_key */
export async function revokeApiKey(
  db: Db,
  request: { readonly id: string; readonly reason: string; readonly actor: Actor },
): Promise<void> {
  requireReason(request.reason);
  await db.sql.begin(async (tx) => {
    const rows = await tx`
      update api_keys set revoked_at = now() where id = ${request.id} and revoked_at is null returning id`;
    if (rows.length === 0) throw new DbError("unknown_api_key", `There is no valid API key ${request.id}.`);
    await insertAuditEntry(tx, {
      actor: request.actor,
      action: "api_key.revoke",
      object: `api_key/${request.id}`,
      diff: [{ path: ["revoked"], kind: "added", after: true }],
      reason: request.reason,
    });
  });
}

/** Who may use the routers. */
export interface ApiKeyRing {
  /** Whether clients must bring a key: once one has been made, also when all of them are revoked. */
  readonly isRequired: boolean;
  /** The keys that are good now. */
  readonly keys: readonly ApiKey[];
}

/** Reads who may use the routers now. */
export async function readApiKeys(db: Db): Promise<ApiKeyRing> {
  const rows = await db.sql<
    { id: string; name: string; hash: string; max_in_flight: number | null; is_valid: boolean }[]
  >`
    select id, name, encode(key_hash, 'hex') as hash, max_in_flight, revoked_at is null as is_valid
    from api_keys order by id`;
  const valid = rows.filter((row) => row.is_valid);
  return {
    isRequired: rows.length > 0,
    keys: valid.map((row) => ({
      id: row.id,
      name: row.name,
      hash: row.hash,
      maxInFlight: row.max_in_flight,
    })),
  };
}

function requireReason(reason: string): void {
  if (reason.trim() === "") {
    throw new DbError("reason_required", "A change of API keys needs a reason: say in a few words why.");
  }
}
