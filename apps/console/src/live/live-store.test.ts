import { expect, test } from "vitest";
import type { LiveEvent } from "#server/live/topics.ts";
import { LiveStore } from "./live-store.ts";

function storeEvent(nowMs: number): LiveEvent {
  return {
    topic: "store",
    data: { nowMs, routersAlive: 1, replicas: 2, newestDataAtMs: null, firstDataAtMs: null },
    readAtMs: nowMs,
  };
}

test("a pause freezes what is shown, not what is received, and ends with the newest", () => {
  const store = new LiveStore();
  store.receive(storeEvent(1), 1);
  store.pause(true);
  store.receive(storeEvent(2), 2);
  expect(store.slot("store", false)?.data).toMatchObject({ nowMs: 1 });
  expect(store.slot("store", true)?.data).toMatchObject({ nowMs: 2 });
  store.pause(false);
  expect(store.slot("store", false)?.data).toMatchObject({ nowMs: 2 });
});

test("a value that did not change is the same object, so nothing is drawn again for it", () => {
  const store = new LiveStore();
  store.receive(storeEvent(1), 1);
  const slot = store.slot("store", false);
  store.connect("stream");
  expect(store.slot("store", false)).toBe(slot);
});

test("the database's absence is told from its beginning until a value comes", () => {
  const store = new LiveStore();
  store.receive({ topic: "trouble", reason: "store_unavailable", sinceMs: 5 }, 9);
  store.storeAway();
  expect(store.state().storeAwaySinceMs).toBe(5);
  store.receive(storeEvent(10), 10);
  expect(store.state().storeAwaySinceMs).toBeNull();
});

test("listeners hear of each change until they leave", () => {
  const store = new LiveStore();
  let heard = 0;
  const leave = store.subscribe(() => {
    heard += 1;
  });
  store.connect("stream");
  store.connect("stream");
  expect(heard).toBe(1);
  leave();
  store.connect("polling");
  expect(heard).toBe(1);
});
