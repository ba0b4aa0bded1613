import { expect, test } from "vitest";
import { listenPolicy } from "./listen.ts";
import { POLICY_CHANNEL } from "./policy-revisions.ts";
import { type TestDb, withTestDb } from "./testing.ts";

/** Counts hints and lets a test wait for the next. */
class Hints {
  count = 0;
  #waiting: (() => void)[] = [];

  readonly add = () => {
    this.count++;
    for (const wake of this.#waiting.splice(0)) wake();
  };

  async beyond(count: number): Promise<number> {
    while (this.count <= count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.count;
  }
}

async function announce(store: TestDb): Promise<void> {
  await store.db.sql`select pg_notify(${POLICY_CHANNEL}, '1')`;
}

test("a listener is called when it connects, when something is published, and after a lost connection", async () => {
  await using store = await withTestDb();
  const hints = new Hints();
  const listener = listenPolicy(store.open("evenkeel_router"), hints.add);
  const connected = await hints.beyond(0);
  await announce(store);
  const published = await hints.beyond(connected);
  await store.db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'evenkeel policy listener'`;
  const reconnected = await hints.beyond(published);
  await announce(store);
  await hints.beyond(reconnected);
  await listener.close();
});

test("a listener that starts while the database is away listens as soon as it is there", async () => {
  await using store = await withTestDb();
  const hints = new Hints();
  const backOnline = await store.takeOffline();
  const listener = listenPolicy(store.open(), hints.add);
  await backOnline();
  const connected = await hints.beyond(0);
  await announce(store);
  await hints.beyond(connected);
  await listener.close();
});

test("a closed listener is called no more", async () => {
  await using store = await withTestDb();
  const hints = new Hints();
  const listener = listenPolicy(store.open(), hints.add);
  await hints.beyond(0);
  await listener.close();
  const closed = hints.count;
  await announce(store);
  // The server notices the end of a connection a moment later; what it still sends until then must be ignored.
  while ((await listeners(store)) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(hints.count).toBe(closed);
});

async function listeners(store: TestDb): Promise<number> {
  const [row] = await store.db.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'evenkeel policy listener'`;
  return row?.count ?? 0;
}
