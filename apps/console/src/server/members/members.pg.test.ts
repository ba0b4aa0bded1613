import type { Actor } from "@evenkeel/db/audit-entries";
import type { Db } from "@evenkeel/db/connect";
import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFirstAdmin } from "#server/first-admin.ts";
import { addMember, changeRole, inviteAgain, removeMember } from "./change-members.ts";
import { acceptInvitation, invitee } from "./invitation.ts";
import { readMembers } from "./read-members.ts";

const ACTOR: Actor = { name: "Ada", role: "admin", origin: "ui" };
const BOB = { name: "Bob", email: "Bob@example.com", role: "operator" as const };

let store: TestDb;
let db: Db;
beforeEach(async () => {
  store = await withTestDb();
  db = store.open("evenkeel_console");
  await createFirstAdmin(db, { name: "Ada", email: "ada@example.com", password: "correct horse battery" });
});
afterEach(() => store.drop());

async function idOf(name: string): Promise<string> {
  const found = (await readMembers(db)).find((member) => member.name === name);
  if (found === undefined) throw new Error(`${name} is no member`);
  return found.id;
}

async function invite(member = BOB): Promise<string> {
  const outcome = await addMember(db, member, ACTOR);
  if (outcome.kind === "refused") throw new Error(outcome.why);
  return outcome.value.token;
}

test("an invitation lets one person in once, and the database never holds its token", async () => {
  const token = await invite();
  expect(await invitee(db, token, Date.now())).toEqual({ name: "Bob", email: "bob@example.com" });
  const rows = await db.sql<{ value: string }[]>`select value from auth_verifications`;
  expect(rows.map((row) => row.value)).not.toContain(token);

  const taken = { token, password: "a password of his own" };
  const both = await Promise.all([
    acceptInvitation(db, taken, Date.now()),
    acceptInvitation(db, taken, Date.now()),
  ]);
  expect(both.filter((accepted) => accepted !== null)).toEqual([{ email: "bob@example.com" }]);
  expect(await invitee(db, token, Date.now())).toBeNull();
  expect((await readMembers(db)).find((member) => member.name === "Bob")).toMatchObject({
    role: "operator",
    invitedUntilMs: null,
  });
});

test("an invitation ends after its time, and when a newer one is made", async () => {
  const first = await invite();
  expect(
    await acceptInvitation(db, { token: first, password: "long enough now" }, Date.now() + 73 * 3_600_000),
  ).toBeNull();
  const again = await inviteAgain(db, await idOf("Bob"), ACTOR);
  expect(again.kind).toBe("done");
  expect(await invitee(db, first, Date.now())).toBeNull();
});

test("the last admin can be neither demoted nor removed, even when two try at once", async () => {
  const ada = await idOf("Ada");
  expect(await changeRole(db, { userId: ada, role: "viewer" }, ACTOR)).toEqual({
    kind: "refused",
    why: "last_admin",
  });
  expect(await removeMember(db, ada, ACTOR)).toEqual({ kind: "refused", why: "last_admin" });

  const token = await invite({ ...BOB, role: "operator" });
  const bob = await idOf("Bob");
  await changeRole(db, { userId: bob, role: "admin" }, ACTOR);
  // Someone who never set a password cannot be the one who is left.
  expect(await removeMember(db, ada, ACTOR)).toEqual({ kind: "refused", why: "last_admin" });
  await acceptInvitation(db, { token, password: "a password of his own" }, Date.now());
  const both = await Promise.all([
    changeRole(db, { userId: ada, role: "viewer" }, ACTOR),
    changeRole(db, { userId: bob, role: "viewer" }, ACTOR),
  ]);
  expect(both.map((outcome) => outcome.kind).sort()).toEqual(["done", "refused"]);
});

test("an address is taken whatever its case, and what is gone is said to be", async () => {
  await invite();
  expect(await addMember(db, { ...BOB, email: "BOB@EXAMPLE.COM" }, ACTOR)).toEqual({
    kind: "refused",
    why: "email_taken",
  });
  expect(await removeMember(db, "nobody", ACTOR)).toEqual({ kind: "refused", why: "unknown_member" });
  expect(await inviteAgain(db, "nobody", ACTOR)).toEqual({ kind: "refused", why: "unknown_member" });
});

test("every change of members is in the audit with who and what", async () => {
  await invite();
  const bob = await idOf("Bob");
  await changeRole(db, { userId: bob, role: "viewer" }, ACTOR);
  await removeMember(db, bob, ACTOR);
  const entries = await db.sql`select actor, action, object, diff from audit_entries order by id`;
  expect(entries).toMatchObject([
    { actor: "Ada", action: "member.add", object: "member/bob@example.com" },
    { action: "member.role", diff: [{ path: ["role"], before: "operator", after: "viewer" }] },
    { action: "member.remove" },
  ]);
  expect(await readMembers(db)).toHaveLength(1);
});
