import { afterEach, expect, test } from "vitest";
import { HoldQueue, type WaitingClient } from "./hold-queue.ts";

let nowMs = 0;
let queue: HoldQueue;
function makeQueue(capacity = 10): HoldQueue {
  nowMs = 0;
  queue = new HoldQueue(capacity, () => nowMs, 1);
  return queue;
}
afterEach(() => queue.close());

/** A client that can leave. */
class Client implements WaitingClient {
  isGone = false;
  #source: { clientGone(): void } | null = null;
  feedFrom(source: { clientGone(): void } | null): void {
    this.#source = source;
  }
  leave(): void {
    this.isGone = true;
    this.#source?.clientGone();
  }
}

const hold = (untilMs: number, deadlineMs: number, reply = new Client(), waitsFor: string | null = null) => ({
  untilMs,
  deadlineMs,
  reply,
  waitsFor,
});

test("requests due at once go on earliest deadline first, whatever order they came in", async () => {
  makeQueue();
  const order: string[] = [];
  const late = queue.wait(hold(5, 300)).then(() => order.push("late"));
  const early = queue.wait(hold(5, 100)).then(() => order.push("early"));
  const middle = queue.wait(hold(5, 200)).then(() => order.push("middle"));
  nowMs = 5;
  await Promise.all([late, early, middle]);
  expect(order).toEqual(["early", "middle", "late"]);
});

test("nobody goes on before their moment", async () => {
  makeQueue();
  let isSettled = false;
  const waiting = queue.wait(hold(10, 100)).then(() => {
    isSettled = true;
  });
  nowMs = 9;
  await queue.wait(hold(9, 100));
  expect(isSettled).toBe(false);
  nowMs = 10;
  await waiting;
  expect(queue.size).toBe(0);
});

test("a client that leaves takes its place with it, and one that has left gets none", async () => {
  makeQueue();
  const client = new Client();
  const waiting = queue.wait(hold(1_000, 1_000, client, "m"));
  expect(queue.waitingFor("m")).toBe(1);
  client.leave();
  expect(await waiting).toBe("gone");
  expect(queue.waitingFor("m")).toBe(0);
  expect(await queue.wait(hold(1_000, 1_000, client))).toBe("gone");
  expect(queue.size).toBe(0);
});

test("a full queue says so at once", async () => {
  makeQueue(1);
  const waiting = queue.wait(hold(5, 5));
  expect(await queue.wait(hold(5, 5))).toBe("full");
  nowMs = 5;
  expect(await waiting).toBe("due");
});

test("a freed place goes to one request of that model, the one with the earliest deadline", async () => {
  makeQueue();
  const far = queue.wait(hold(1_000, 900, new Client(), "m"));
  const near = queue.wait(hold(1_000, 100, new Client(), "m"));
  const other = queue.wait(hold(1_000, 1, new Client(), "other"));
  queue.freed("m", 1);
  expect(await near).toBe("due");
  expect(queue.waitingFor("m")).toBe(1);
  expect(queue.waitingFor("other")).toBe(1);
  queue.close();
  expect(await Promise.all([far, other])).toEqual(["closed", "closed"]);
  expect(await queue.wait(hold(5, 5))).toBe("closed");
});
