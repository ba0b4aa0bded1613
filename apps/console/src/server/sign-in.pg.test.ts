import { authUsers } from "@evenkeel/db/schema/auth";
import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Auth, createAuth } from "./auth.ts";
import { createFirstAdmin, needsSetup } from "./first-admin.ts";
import { viewerOf } from "./viewer.ts";

const ADMIN = { name: "Ada", email: "Ada@example.com", password: "correct horse battery" };
const HOST = "console.example:3000";

let store: TestDb;
beforeEach(async () => {
  store = await withTestDb();
});
afterEach(() => store.drop());

function auth(origin: string | null = null): Auth {
  return createAuth(store.open("evenkeel_console"), { secret: "s".repeat(32), origin });
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`http://${HOST}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", host: HOST, origin: `http://${HOST}`, ...headers },
    body: JSON.stringify(body),
  });
}

const signIn = { email: "ada@example.com", password: ADMIN.password };

function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

test("the first admin can be made once, however many try at the same moment", async () => {
  const db = store.open("evenkeel_console");
  expect(await needsSetup(db)).toBe(true);
  const made = await Promise.all(
    [1, 2, 3, 4].map((n) => createFirstAdmin(db, { ...ADMIN, email: `a${n}@example.com` })),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await needsSetup(db)).toBe(false);
  expect(await db.orm.select().from(authUsers)).toHaveLength(1);
});

test("who signs in gets a cookie that scripts cannot read and other sites cannot use, and is known by it", async () => {
  await createFirstAdmin(store.db, ADMIN);
  const server = auth();
  const response = await server.handler(post("/sign-in/email", signIn));
  expect(response.status).toBe(200);
  for (const cookie of response.headers.getSetCookie()) {
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
  }
  const headers = new Headers({ cookie: cookieOf(response), host: HOST });
  expect(await viewerOf(server, headers, false)).toMatchObject({
    name: "Ada",
    email: "ada@example.com",
    role: "admin",
  });
  expect(await viewerOf(server, headers, true)).toMatchObject({ role: "admin" });
});

test("behind an https address the cookie is Secure", async () => {
  await createFirstAdmin(store.db, ADMIN);
  const origin = "https://console.example";
  const response = await auth(origin).handler(
    post("/sign-in/email", signIn, { origin, host: "console.example" }),
  );
  expect(response.status).toBe(200);
  for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; Secure/i);
});

test("the password is kept as a hash", async () => {
  await createFirstAdmin(store.db, ADMIN);
  const rows = await store.db.sql<{ password: string }[]>`select password from auth_accounts`;
  expect(rows).toHaveLength(1);
  expect(rows[0]?.password).not.toContain(ADMIN.password);
});

test("a wrong password, an unknown account and a page of another site get nobody in", async () => {
  await createFirstAdmin(store.db, ADMIN);
  const server = auth();
  const wrong = await server.handler(post("/sign-in/email", { ...signIn, password: "not the password" }));
  const unknown = await server.handler(post("/sign-in/email", { ...signIn, email: "eve@example.com" }));
  const foreign = await server.handler(
    post("/sign-in/email", signIn, { origin: "https://evil.example", cookie: "a=b" }),
  );
  expect([wrong.status, unknown.status, foreign.status]).toEqual([401, 401, 403]);
  expect(await wrong.text()).toBe(await unknown.text());
});

test("nobody can make an account or give themselves a role", async () => {
  await createFirstAdmin(store.db, ADMIN);
  const server = auth();
  const signUp = await server.handler(
    post("/sign-up/email", {
      name: "Eve",
      email: "eve@example.com",
      password: "a long password",
      role: "admin",
    }),
  );
  expect(signUp.status).toBeGreaterThanOrEqual(400);
  const cookie = cookieOf(await server.handler(post("/sign-in/email", signIn)));
  const update = await server.handler(post("/update-user", { role: "admin", name: "x" }, { cookie }));
  expect(update.status).toBeGreaterThanOrEqual(400);
  expect(await store.db.orm.select().from(authUsers)).toHaveLength(1);
});

test("after signing out the cookie opens nothing that changes something", async () => {
  await createFirstAdmin(store.db, ADMIN);
  const server = auth();
  const cookie = cookieOf(await server.handler(post("/sign-in/email", signIn)));
  await server.handler(post("/sign-out", {}, { cookie }));
  expect(await viewerOf(server, new Headers({ cookie, host: HOST }), true)).toBeNull();
});
