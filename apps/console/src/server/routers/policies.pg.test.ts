import { seedPolicy } from "@evenkeel/db/policy-revisions";
import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callerFactory } from "#server/trpc.ts";
import { appRouter } from "./index.ts";

const FIRST = 'version: 1\nmodels:\n  - name: "*"\n    strategy: { type: predicted-cost }\n';

let store: TestDb;
beforeEach(async () => {
  store = await withTestDb();
});
afterEach(() => store.drop());

function admin() {
  const viewer = { userId: "u", name: "oncall-1", email: "o@example.com", role: "admin" as const };
  return callerFactory(appRouter)({
    db: store.open("evenkeel_console"),
    viewer: () => Promise.resolve(viewer),
    freshViewer: () => Promise.resolve(viewer),
    requestId: "test-request",
    address: "10.0.0.7",
  });
}

async function seeded() {
  await seedPolicy(store.db, {
    document: { version: 1, models: [{ name: "*", strategy: { type: "predicted-cost" } }] },
    source: FIRST,
  });
  return admin();
}

test("a publish becomes live with its text, and the history says who and why", async () => {
  const console = await seeded();
  const source = `# why not\n${FIRST.replace("predicted-cost", "round-robin")}`;
  const result = await console.policies.publish({ source, baseRevision: 1, reason: "Compare" });
  expect(result).toEqual({ kind: "published", revision: 2 });
  expect(await console.policies.live()).toMatchObject({ revision: 2, source, author: "oncall-1" });
  expect(await console.policies.history({})).toMatchObject([
    { revision: 2, reason: "Compare", kind: "publish", applied: 0, refused: 0 },
    { revision: 1, kind: "initial" },
  ]);
  const audit = await store.db
    .sql`select actor, role, action, request_id, host(ip) as ip from audit_entries where object = 'policy/2'`;
  expect(audit).toMatchObject([
    {
      actor: "oncall-1",
      role: "admin",
      action: "policy.publish",
      request_id: "test-request",
      ip: "10.0.0.7",
    },
  ]);
});

test("a publish on a base that is no longer live brings theirs back and writes nothing", async () => {
  const console = await seeded();
  await console.policies.publish({ source: `${FIRST}# theirs\n`, baseRevision: 1, reason: "Theirs" });
  const result = await console.policies.publish({
    source: `${FIRST}# mine\n`,
    baseRevision: 1,
    reason: "Mine",
  });
  expect(result).toMatchObject({ kind: "conflict", live: { revision: 2, source: `${FIRST}# theirs\n` } });
  expect(await console.policies.history({})).toHaveLength(2);
});

test("text that is not YAML, or not a policy, is answered with its problems", async () => {
  const console = await seeded();
  const broken = await console.policies.publish({ source: "models: [", baseRevision: 1, reason: "r" });
  expect(broken).toMatchObject({ kind: "invalid", problems: [{ code: "yaml" }] });
  const wrong = await console.policies.publish({
    source: FIRST.replace("predicted-cost", "fastest"),
    baseRevision: 1,
    reason: "r",
  });
  expect(wrong).toMatchObject({ kind: "invalid", problems: [{ path: ["models", 0, "strategy", "type"] }] });
  expect(await console.policies.live()).toMatchObject({ revision: 1 });
});

test("a rollback brings an old text back as a new revision", async () => {
  const console = await seeded();
  await console.policies.publish({ source: `${FIRST}# two\n`, baseRevision: 1, reason: "Two" });
  const result = await console.policies.rollback({ toRevision: 1, baseRevision: 2, reason: "Two was worse" });
  expect(result).toEqual({ kind: "published", revision: 3 });
  expect(await console.policies.live()).toMatchObject({
    revision: 3,
    source: FIRST,
    kind: "rollback",
    ofRevision: 1,
  });
});

test("what does not exist is said, not an internal error", async () => {
  const console = await seeded();
  await expect(console.policies.revision({ revision: 99 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    console.policies.rollback({ toRevision: 99, baseRevision: 1, reason: "r" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    console.policies.publish({ source: FIRST, baseRevision: 1, reason: "  " }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("in a database without a policy nothing is live and publishing says what to do", async () => {
  const console = admin();
  expect(await console.policies.live()).toBeNull();
  await expect(console.policies.publish({ source: FIRST, baseRevision: 1, reason: "r" })).rejects.toThrow(
    /no policy yet/,
  );
});

test("text nested without end is refused with one problem, and text with NUL by its field", async () => {
  const console = await seeded();
  const deep = await console.policies.publish({ source: "[".repeat(20_000), baseRevision: 1, reason: "r" });
  expect(deep).toMatchObject({
    kind: "invalid",
    problems: [{ message: expect.stringMatching(/Nested deeper/), code: "yaml" }],
  });
  await expect(
    console.policies.publish({ source: `${FIRST}# \0\n`, baseRevision: 1, reason: "r" }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await console.policies.live()).toMatchObject({ revision: 1 });
});
