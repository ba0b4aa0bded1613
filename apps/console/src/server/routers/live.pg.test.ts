import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAuth } from "#server/auth.ts";
import { createFirstAdmin } from "#server/first-admin.ts";
import { callerFactory } from "#server/trpc.ts";
import { viewerOf } from "#server/viewer.ts";
import { appRouter } from "./index.ts";

let store: TestDb;
beforeAll(async () => {
  store = await withTestDb();
});
afterAll(() => store.drop());
// Only the re-check is on an interval; the database and the hub go by real timers.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const SIGN_IN = { email: "ada@example.com", password: "correct horse battery" };

test("a member who is removed loses the stream they have open, though their cookie still says otherwise", async () => {
  const db = store.open("evenkeel_console");
  await createFirstAdmin(store.db, { name: "Ada", ...SIGN_IN });
  const auth = createAuth(db, { secret: "s".repeat(32), origin: null });
  const answer = await auth.handler(
    new Request("http://console.example/api/auth/sign-in/email", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        host: "console.example",
        origin: "http://console.example",
      },
      body: JSON.stringify(SIGN_IN),
    }),
  );
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  const headers = new Headers({ cookie: cookie.join("; "), host: "console.example" });
  const caller = callerFactory(appRouter)({
    db,
    viewer: () => viewerOf(auth, headers, false),
    freshViewer: () => viewerOf(auth, headers, true),
    requestId: "test",
    address: null,
  });
  const stream = await caller.live.events();
  const events = stream[Symbol.asyncIterator]();
  expect((await events.next()).done).toBe(false);

  await vi.advanceTimersByTimeAsync(30_000);
  expect((await events.next()).done).toBe(false);

  await store.db.sql`delete from auth_users`;
  const drained = (async () => {
    // The store's clock goes on changing: a stream that is not ended never leaves this loop.
    while (!(await events.next()).done);
  })();
  const refused = expect(drained).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
});
