import { expect, test } from "vitest";
import { apiKeyHash, createApiKey, readApiKeys, revokeApiKey } from "./api-keys.ts";
import { withTestDb } from "./testing.ts";

const actor = { name: "ada", role: "admin", origin: "cli" } as const;

test("a key is handed out once, stored as its hash only, and its making and end are in the audit trail", async () => {
  await using store = await withTestDb();
  const console = store.open("evenkeel_console");
  expect(await readApiKeys(console)).toEqual({ isRequired: false, keys: [] });
  const { id, key } = await createApiKey(console, {
    name: "batch jobs",
    maxInFlight: 4,
    reason: "asked for",
    actor,
  });
  const router = store.open("evenkeel_router");
  expect(await readApiKeys(router)).toEqual({
    isRequired: true,
    keys: [{ id, name: "batch jobs", hash: apiKeyHash(key), maxInFlight: 4 }],
  });
  const stored = await store.db.sql`select to_jsonb(api_keys)::text as row from api_keys
    union all select to_jsonb(audit_entries)::text from audit_entries`;
  expect(JSON.stringify(stored)).not.toContain(key);
  await revokeApiKey(console, { id, reason: "leaked", actor });
  // Revoking the last key does not open the door.
  expect(await readApiKeys(router)).toEqual({ isRequired: true, keys: [] });
  const audit = await store.db.sql`select action, object from audit_entries order by id`;
  expect(audit.map((row) => ({ ...row }))).toEqual([
    { action: "api_key.create", object: `api_key/${id}` },
    { action: "api_key.revoke", object: `api_key/${id}` },
  ]);
});

test("a router cannot make keys, nobody can revoke one twice, and every change needs a reason", async () => {
  await using store = await withTestDb();
  const request = { name: "x", reason: "why", actor };
  await expect(createApiKey(store.open("evenkeel_router"), request)).rejects.toMatchObject({ code: "42501" });
  await expect(createApiKey(store.db, { ...request, reason: " " })).rejects.toMatchObject({
    code: "reason_required",
  });
  const { id } = await createApiKey(store.db, request);
  await revokeApiKey(store.db, { id, reason: "why", actor });
  await expect(revokeApiKey(store.db, { id, reason: "why", actor })).rejects.toMatchObject({
    code: "unknown_api_key",
  });
});
