import { expect, test } from "vitest";
import type { Actor } from "./audit-entries.ts";
import { acknowledgePolicy } from "./policy-acks.ts";
import {
  livePolicy,
  policyHistory,
  policyRevision,
  publishPolicy,
  rollbackPolicy,
  seedPolicy,
} from "./policy-revisions.ts";
import { type TestDb, withTestDb } from "./testing.ts";

const ada: Actor = { name: "ada", role: "admin", origin: "ui", ip: "192.0.2.7", requestId: "req-1" };
const document = (type: string) => ({ version: 1, models: [{ name: "*", strategy: { type } }] });
const source = (type: string) => `version: 1 # typed\nmodels: [{name: "*", strategy: {type: ${type}}}]\n`;
const draft = (type: string, baseRevision: number) => ({
  document: document(type),
  source: source(type),
  baseRevision,
  reason: `try ${type}`,
  actor: ada,
});

async function seeded(): Promise<TestDb> {
  const store = await withTestDb();
  await seedPolicy(store.db, { document: document("predicted-cost"), source: source("predicted-cost") });
  return store;
}

test("an empty database has no policy, and takes its first one once however many programs offer it", async () => {
  await using store = await withTestDb();
  expect(await livePolicy(store.db)).toBeNull();
  const offers = await Promise.all(
    ["predicted-cost", "round-robin", "least-request"].map((type) =>
      seedPolicy(store.db, { document: document(type), source: source(type) }),
    ),
  );
  expect(offers.map((offer) => offer.kind).sort()).toEqual(["present", "present", "seeded"]);
  expect(await livePolicy(store.db)).toMatchObject({ revision: 1, kind: "initial", baseRevision: null });
  expect(await policyHistory(store.db)).toHaveLength(1);
});

test("the console's rights are enough to publish, and the text comes back as it was typed", async () => {
  await using store = await seeded();
  const db = store.open("evenkeel_console");
  expect(await publishPolicy(db, draft("round-robin", 1))).toEqual({ kind: "published", revision: 2 });
  expect(await livePolicy(db)).toMatchObject({
    revision: 2,
    kind: "publish",
    baseRevision: 1,
    source: source("round-robin"),
    author: "ada",
    reason: "try round-robin",
  });
});

test("a publish leaves one audit entry that says who, from where, why and which fields", async () => {
  await using store = await seeded();
  await publishPolicy(store.db, draft("round-robin", 1));
  const entries = await store.db.sql`
    select actor, role, action, object, reason, origin, host(ip) as ip, request_id, diff from audit_entries order by id`;
  expect(entries).toHaveLength(2);
  expect(entries[1]).toMatchObject({
    actor: "ada",
    role: "admin",
    action: "policy.publish",
    object: "policy/2",
    reason: "try round-robin",
    origin: "ui",
    ip: "192.0.2.7",
    request_id: "req-1",
  });
  expect(entries[1]?.["diff"]).toContainEqual({
    path: ["models", "*", "strategy", "type"],
    kind: "changed",
    before: "predicted-cost",
    after: "round-robin",
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["unknown", null],
  ["192.0.2.7:443", null],
  ["", null],
])("an actor's address %j is kept as %j and never fails the change", async (ip, kept) => {
  await using store = await seeded();
  const result = await publishPolicy(store.db, { ...draft("round-robin", 1), actor: { ...ada, ip } });
  expect(result.kind).toBe("published");
  expect(await store.db.sql`select host(ip) as ip from audit_entries where actor = 'ada'`).toEqual([
    { ip: kept },
  ]);
});

test("a publish on a base that is no longer live is told what is live, and writes nothing", async () => {
  await using store = await seeded();
  await publishPolicy(store.db, draft("round-robin", 1));
  const late = await publishPolicy(store.db, draft("least-request", 1));
  expect(late).toMatchObject({
    kind: "conflict",
    live: { revision: 2, source: source("round-robin"), author: "ada" },
  });
  expect(await policyHistory(store.db)).toHaveLength(2);
  expect(await store.db.sql`select from audit_entries`).toHaveLength(2);
});

test("of many publishes at once on one base exactly one wins", async () => {
  await using store = await seeded();
  const handles = [store.db, store.open("evenkeel_console"), store.open("evenkeel_console")];
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      publishPolicy(
        handles[i % handles.length] ?? store.db,
        draft(i % 2 ? "round-robin" : "least-request", 1),
      ),
    ),
  );
  expect(results.filter((result) => result.kind === "published")).toEqual([
    { kind: "published", revision: 2 },
  ]);
  expect(results.filter((result) => result.kind === "conflict")).toHaveLength(11);
  expect((await policyHistory(store.db)).map((revision) => revision.revision)).toEqual([2, 1]);
});

test("an invalid document is refused with its problems and nothing is written", async () => {
  await using store = await seeded();
  const result = await publishPolicy(store.db, { ...draft("no-such-strategy", 1) });
  expect(result).toMatchObject({ kind: "invalid" });
  if (result.kind !== "invalid") throw new Error("expected problems");
  expect(result.problems[0]?.path).toEqual(["models", 0, "strategy", "type"]);
  expect(await livePolicy(store.db)).toMatchObject({ revision: 1 });
});

test("a document with a character Postgres cannot hold is refused with the field named", async () => {
  await using store = await seeded();
  const odd = { version: 1, models: [{ name: "a\u0000b", strategy: { type: "round-robin" } }] };
  const result = await publishPolicy(store.db, { ...draft("round-robin", 1), document: odd });
  expect(result).toMatchObject({ kind: "invalid", problems: [{ path: ["models", 0, "name"] }] });
});

test("odd characters around the document do not fail a publish", async () => {
  await using store = await seeded();
  const result = await publishPolicy(store.db, {
    ...draft("round-robin", 1),
    source: "# \u0000\nversion: 1",
    reason: "because \ud800",
    actor: { ...ada, name: "a\u0000da", requestId: "\u0000" },
  });
  expect(result.kind).toBe("published");
  expect(await livePolicy(store.db)).toMatchObject({
    source: "# \uFFFD\nversion: 1",
    reason: "because \uFFFD",
    author: "a\uFFFDda",
  });
});

test("a change without a reason is refused", async () => {
  await using store = await seeded();
  await expect(publishPolicy(store.db, { ...draft("round-robin", 1), reason: "  " })).rejects.toMatchObject({
    code: "reason_required",
  });
});

test("a rollback is a new revision with the old document, and the pointer never moves back", async () => {
  await using store = await seeded();
  await publishPolicy(store.db, draft("round-robin", 1));
  const back = { toRevision: 1, baseRevision: 2, reason: "p99 up", actor: ada };
  expect(await rollbackPolicy(store.db, back)).toEqual({ kind: "published", revision: 3 });
  const first = await policyRevision(store.db, 1);
  expect(await livePolicy(store.db)).toMatchObject({
    revision: 3,
    kind: "rollback",
    ofRevision: 1,
    document: first?.document,
    source: first?.source,
  });
  expect(await rollbackPolicy(store.db, back)).toMatchObject({ kind: "conflict", live: { revision: 3 } });
  await expect(rollbackPolicy(store.db, { ...back, toRevision: 99 })).rejects.toMatchObject({
    code: "unknown_revision",
  });
});

test("history reads page by page, newest first", async () => {
  await using store = await seeded();
  for (let base = 1; base < 5; base++) await publishPolicy(store.db, draft("round-robin", base));
  const numbers = async (page: { limit: number; before?: number }) =>
    (await policyHistory(store.db, page)).map((revision) => revision.revision);
  expect(await numbers({ limit: 2 })).toEqual([5, 4]);
  expect(await numbers({ limit: 2, before: 4 })).toEqual([3, 2]);
});

test("a router's word on a revision is kept, each time it gives it", async () => {
  await using store = await seeded();
  const router = store.open("evenkeel_router");
  await acknowledgePolicy(router, {
    routerId: "r-a",
    revision: 1,
    status: "refused",
    problem: "models[0]: unknown",
  });
  await acknowledgePolicy(router, { routerId: "r-a", revision: 1, status: "applied" });
  expect(await router.sql`select status, problem from policy_acks order by acked_at`).toEqual([
    { status: "refused", problem: "models[0]: unknown" },
    { status: "applied", problem: null },
  ]);
});
