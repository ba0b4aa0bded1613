import { createApiKey, revokeApiKey } from "@evenkeel/db/api-keys";
import { publishPolicy } from "@evenkeel/db/policy-revisions";
import { readDecision } from "@evenkeel/db/read-decisions";
import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  answer,
  CHAT_ANSWER,
  type HostileUpstream,
  startHostileUpstream,
} from "./testing/hostile-upstream.ts";
import {
  chatRequest,
  type RouterUnderTest,
  type RouterUnderTestOptions,
  startRouterUnderTest,
  until,
} from "./testing/router-under-test.ts";
import { makeTcpGate, type TcpGate } from "./testing/tcp-gate.ts";

let testDb: TestDb;
let gate: TcpGate;
let replicas: HostileUpstream[];
let router: RouterUnderTest | null;
beforeEach(async () => {
  testDb = await withTestDb();
  const { hostname, port } = new URL(testDb.url);
  gate = await makeTcpGate(hostname, Number(port));
  const ok = () => startHostileUpstream(({ socket }) => answer(socket, 200, CHAT_ANSWER));
  replicas = [await ok(), await ok()];
  router = null;
});
afterEach(async () => {
  await router?.close();
  await gate.shut();
  for (const replica of replicas) await replica.close();
  await testDb.drop();
});

/** A router that reaches the test's database through the gate. */
async function start(options: Partial<RouterUnderTestOptions> = {}): Promise<RouterUnderTest> {
  const url = new URL(testDb.url);
  url.hostname = "127.0.0.1";
  url.port = String(gate.port);
  router = await startRouterUnderTest({
    replicas: replicas.map(({ url }, index) => ({ id: `r${index + 1}`, url })),
    ...options,
    environment: { DATABASE_URL: url.href, ...options.environment },
  });
  return router;
}

async function chat(to: RouterUnderTest, headers = {}): Promise<Response> {
  const response = await fetch(`${to.url}/v1/chat/completions`, chatRequest({}, headers));
  await response.text();
  return response;
}

async function stored(response: Response) {
  const id = response.headers.get("x-evenkeel-decision") ?? "";
  await until(async () => (await readDecision(testDb.db, id)) !== null);
  return readDecision(testDb.db, id);
}

async function policyIs(to: RouterUnderTest, revision: number): Promise<void> {
  await until(async () => (await chat(to)).headers.get("x-evenkeel-policy") === String(revision));
}

async function publish(document: unknown, baseRevision: number): Promise<void> {
  const result = await publishPolicy(testDb.db, {
    document,
    source: JSON.stringify(document),
    baseRevision,
    reason: "test",
    actor: { name: "tester", role: null, origin: "cli" },
  });
  expect(result.kind).toBe("published");
}

test("a decision is stored with its candidates, attempts and token counts, and without the session key", async () => {
  await gate.open();
  const running = await start();
  await policyIs(running, 1);
  const record = await stored(await chat(running, { "x-session-id": "alice-42", "x-request-id": "req-7" }));
  expect(record).toMatchObject({
    requestId: "req-7",
    routerId: "router-under-test",
    model: "m",
    outcome: "completed",
    status: 200,
    promptTokens: 12,
    cachedTokens: 8,
    outputTokens: 3,
    decision: { kind: "routed", policyRevision: 1, strategy: "round-robin" },
  });
  expect(record?.decision.candidates).toHaveLength(2);
  expect(record?.attempts).toHaveLength(1);
  expect(record?.sessionHash).toMatch(/^[0-9a-f]{16}$/);
  expect(JSON.stringify(record)).not.toContain("alice");
  expect(JSON.stringify(record)).not.toContain("Hello");
});

test("a rejected request is stored as well", async () => {
  await gate.open();
  const running = await start();
  const response = await fetch(`${running.url}/v1/chat/completions`, chatRequest({ model: "nope" }));
  expect(response.status).toBe(404);
  expect(await stored(response)).toMatchObject({
    outcome: "rejected",
    errorCode: "unknown_model",
    decision: { kind: "rejected", code: "unknown_model" },
  });
});

test("an empty database gets POLICY_FILE as its first revision, and the router acknowledges it", async () => {
  await gate.open();
  const running = await start({ policy: { strategy: { type: "least-request" } } });
  await policyIs(running, 1);
  await until(async () => (await acks()).length > 0);
  expect(await acks()).toEqual([
    { router_id: "router-under-test", revision: 1, status: "applied", problem: null },
  ]);
  const [row] = await testDb.db
    .sql`select document->'models'->0->'strategy'->>'type' as type from policy_revisions`;
  expect(row?.["type"]).toBe("least-request");
});

test("a published policy takes effect without a restart and is acknowledged", async () => {
  await gate.open();
  const running = await start();
  await policyIs(running, 1);
  await publish({ version: 1, models: [{ name: "*", strategy: { type: "least-request" } }] }, 1);
  await policyIs(running, 2);
  await until(async () => (await acks()).some(({ revision }) => revision === 2));
  expect(await stored(await chat(running))).toMatchObject({
    decision: { strategy: "least-request", policyRevision: 2 },
  });
});

test("a revision this release cannot compile is refused with its problem, and routing goes on", async () => {
  await gate.open();
  const running = await start();
  await policyIs(running, 1);
  // Written past the verbs, as a newer release might have.
  await testDb.db
    .sql`insert into policy_revisions (revision, kind, document, source, base_revision, author, reason)
    values (2, 'publish', '{"version": 1, "models": [{"name": "*", "strategy": {"type": "from-the-future"}}]}', '', 1, 'x', 'x')`;
  await until(async () => (await acks()).some(({ status }) => status === "refused"));
  const refusal = (await acks()).find(({ status }) => status === "refused");
  expect(refusal).toMatchObject({ revision: 2, problem: expect.stringContaining("models[0].strategy") });
  expect((await chat(running)).headers.get("x-evenkeel-policy")).toBe("1");
});

test("a request that runs while the policy is swapped stays with the revision that decided it", async () => {
  await gate.open();
  const slow = await startHostileUpstream(() => {});
  const running = await start({ replicas: [{ id: "slow", url: slow.url }] });
  await until(async () => (await testDb.db.sql`select from policy_revisions`).length === 1);
  await until(async () => (await acks()).length > 0);
  const response = fetch(`${running.url}/v1/chat/completions`, chatRequest());
  const { socket } = await slow.received(0);
  await publish({ version: 1, models: [{ name: "*", strategy: { type: "least-request" } }] }, 1);
  await until(async () => (await acks()).some(({ revision }) => revision === 2));
  answer(socket, 200, CHAT_ANSWER);
  const finished = await response;
  await finished.text();
  expect(finished.headers.get("x-evenkeel-policy")).toBe("1");
  expect(await stored(finished)).toMatchObject({ decision: { strategy: "round-robin", policyRevision: 1 } });
  await slow.close();
});

test("with the database down at the start requests are served, and their decisions arrive later", async () => {
  const running = await start();
  const responses = [await chat(running), await chat(running)];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  await gate.open();
  for (const response of responses) expect(await stored(response)).toMatchObject({ outcome: "completed" });
});

test("when the database goes away requests are unaffected, and nothing is lost when it is back", async () => {
  await gate.open();
  const running = await start();
  await policyIs(running, 1);
  await gate.shut();
  const responses: Response[] = [];
  for (let round = 0; round < 20; round++) responses.push(await chat(running));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  await gate.open();
  for (const response of responses) expect(await stored(response)).toMatchObject({ outcome: "completed" });
  expect(await running.metric("evenkeel_records_dropped_total")).toBe(0);
});

test("what was decided before a drain is in the database after it", async () => {
  await gate.open();
  const running = await start();
  await policyIs(running, 1);
  const responses = await Promise.all(Array.from({ length: 30 }, () => chat(running)));
  await running.close();
  router = null;
  for (const response of responses) {
    const id = response.headers.get("x-evenkeel-decision") ?? "";
    expect(await readDecision(testDb.db, id)).not.toBeNull();
  }
});

test("the fleet, the router and snapshots of every replica are in the database", async () => {
  await gate.open();
  const policy = { strategy: { type: "round-robin" } };
  const running = await start({ policy, recording: { snapshotIntervalMs: 500 } });
  await until(async () => (await testDb.db.sql`select from replica_snapshots`).length >= 4);
  await running.writeFleet([{ id: "r1", url: replicas[0]?.url ?? "" }]);
  await until(
    async () => (await testDb.db.sql`select from replicas where removed_at is not null`).length === 1,
  );
  const rows = await testDb.db.sql`select id, removed_at is null as present from replicas order by id`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { id: "r1", present: true },
    { id: "r2", present: false },
  ]);
  const [routerRow] = await testDb.db.sql`select * from routers`;
  expect(routerRow?.["id"]).toBe("router-under-test");
});

test("the last good policy is kept on disk: a restart without the database routes by it", async () => {
  await gate.open();
  const first = await start();
  await policyIs(first, 1);
  await publish({ version: 1, models: [{ name: "*", strategy: { type: "least-request" } }] }, 1);
  await policyIs(first, 2);
  await first.router.drain();
  await gate.shut();
  const second = await start({ environment: { DATA_DIR: `${first.folder}/data` } });
  expect((await chat(second)).headers.get("x-evenkeel-policy")).toBe("2");
});

test("with API keys only their holders are served, the key stays here, and a revoked one ends", async () => {
  await gate.open();
  const actor = { name: "ada", role: "admin", origin: "cli" } as const;
  const { id, key } = await createApiKey(testDb.db, { name: "app", reason: "test", actor });
  const running = await start();
  await until(async () => (await chat(running)).status === 401);
  const served = await chat(running, { authorization: `Bearer ${key}` });
  expect(served.status).toBe(200);
  expect((await fetch(`${running.url}/v1/models`)).status).toBe(401);
  const heads = replicas.flatMap(({ exchanges }) => exchanges.map(({ head }) => head));
  expect(heads.join()).not.toContain(key);
  expect(JSON.stringify(running.logs)).not.toContain(key);
  await revokeApiKey(testDb.db, { id, reason: "test", actor });
  await until(async () => (await chat(running, { authorization: `Bearer ${key}` })).status === 401);
});

test("a restart without the database lets in the same clients as before", async () => {
  await gate.open();
  const actor = { name: "ada", role: "admin", origin: "cli" } as const;
  const { key } = await createApiKey(testDb.db, { name: "app", reason: "test", actor });
  const first = await start();
  await until(async () => (await chat(first)).status === 401);
  await until(() => first.logs.some(({ msg }) => msg === "API keys read"));
  await first.router.drain();
  await gate.shut();
  const second = await start({ environment: { DATA_DIR: `${first.folder}/data` } });
  expect((await chat(second)).status).toBe(401);
  expect((await chat(second, { authorization: `Bearer ${key}` })).status).toBe(200);
});

async function acks(): Promise<
  { router_id: string; revision: number; status: string; problem: string | null }[]
> {
  const rows = await testDb.db.sql<
    { router_id: string; revision: number; status: string; problem: string | null }[]
  >`select router_id, revision, status::text, problem from policy_acks order by revision`;
  return rows.map((row) => ({ ...row }));
}
