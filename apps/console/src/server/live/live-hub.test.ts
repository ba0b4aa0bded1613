import type { Db } from "@evenkeel/db/connect";
import { expect, test } from "vitest";
import { LiveHub } from "./live-hub.ts";
import type { LiveEvent } from "./topics.ts";

/** Topics of the test's own; they read no database. */
const NO_DB = null as unknown as Db;

interface Counter {
  value: number;
  reads: number;
  fault: Error | null;
}

function counter(everyMs = 5) {
  const state: Counter = { value: 0, reads: 0, fault: null };
  const topic = {
    everyMs,
    read: () => {
      state.reads += 1;
      return state.fault === null ? Promise.resolve({ value: state.value }) : Promise.reject(state.fault);
    },
  };
  return { state, topic };
}

async function next(events: AsyncGenerator<LiveEvent>): Promise<unknown> {
  const { value } = await events.next();
  return value;
}

test("a tab gets the current value first and then each change, once", async () => {
  const { state, topic } = counter();
  const hub = new LiveHub(NO_DB, { count: topic });
  const end = new AbortController();
  const events = hub.follow(end.signal);
  expect(await next(events)).toMatchObject({ topic: "count", data: { value: 0 } });
  const change = next(events);
  state.value = 1;
  expect(await change).toMatchObject({ data: { value: 1 } });
  end.abort();
  expect(await next(events)).toBeUndefined();
});

test("many tabs cost one read, and none costs none", async () => {
  const { state, topic } = counter(100_000);
  const hub = new LiveHub(NO_DB, { count: topic });
  const ends = Array.from({ length: 20 }, () => new AbortController());
  const tabs = ends.map((end) => hub.follow(end.signal));
  await Promise.all(tabs.map(next));
  expect(state.reads).toBe(1);
  for (const end of ends) end.abort();
  await Promise.all(tabs.map(next));
  hub.hint("count");
  expect(state.reads).toBe(1);
});

test("a hint reads at once, without waiting for the interval", async () => {
  const { state, topic } = counter(100_000);
  const hub = new LiveHub(NO_DB, { count: topic });
  const end = new AbortController();
  const events = hub.follow(end.signal);
  await next(events);
  state.value = 7;
  hub.hint("count");
  expect(await next(events)).toMatchObject({ data: { value: 7 } });
  end.abort();
  await next(events);
});

test("a tab that does not read keeps the newest value only", async () => {
  const { state, topic } = counter(1);
  const hub = new LiveHub(NO_DB, { count: topic });
  const end = new AbortController();
  const slow = hub.follow(end.signal);
  await next(slow);
  const other = hub.follow(end.signal);
  await next(other);
  for (const value of [1, 2, 3]) {
    state.value = value;
    await next(other);
  }
  expect(await next(slow)).toMatchObject({ data: { value: 3 } });
  end.abort();
  await Promise.all([next(slow), next(other)]);
});

test("while the database is away tabs are told since when, and the value comes again when it is back", async () => {
  const { state, topic } = counter(1);
  const hub = new LiveHub(NO_DB, { count: topic });
  const end = new AbortController();
  const events = hub.follow(end.signal);
  await next(events);
  state.fault = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  expect(await next(events)).toMatchObject({ topic: "trouble", reason: "store_unavailable" });
  state.fault = null;
  let event = await next(events);
  while (isTrouble(event)) event = await next(events);
  expect(event).toMatchObject({ topic: "count", data: { value: 0 } });
  end.abort();
  await next(events);
});

test("a topic with a fault of its own does not claim that the database is away, and the others go on", async () => {
  const broken = counter(1);
  broken.state.fault = new Error("column does not exist");
  const { state, topic } = counter(1);
  const hub = new LiveHub(NO_DB, { broken: broken.topic, count: topic });
  const end = new AbortController();
  const events = hub.follow(end.signal);
  for (const value of [0, 1, 2]) {
    expect(await next(events)).toMatchObject({ topic: "count", data: { value } });
    state.value = value + 1;
  }
  end.abort();
  await next(events);
});

test("polling answers with every topic's value without a stream", async () => {
  const { topic } = counter();
  const hub = new LiveHub(NO_DB, { count: topic });
  expect(await hub.poll()).toMatchObject([{ topic: "count", data: { value: 0 } }]);
});

function isTrouble(event: unknown): boolean {
  return typeof event === "object" && event !== null && "topic" in event && event.topic === "trouble";
}
