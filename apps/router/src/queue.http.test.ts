import { afterEach, expect, test } from "vitest";
import {
  answer,
  CHAT_ANSWER,
  type HostileUpstream,
  startHostileUpstream,
} from "./testing/hostile-upstream.ts";
import {
  chatRequest,
  type RouterUnderTest,
  startRouterUnderTest,
  until,
} from "./testing/router-under-test.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A replica that answers when told, behind a router that sends it one request at a time. */
async function narrow(
  limits: Record<string, number>,
): Promise<{ replica: HostileUpstream; router: RouterUnderTest }> {
  const replica = await startHostileUpstream(() => {});
  cleanups.push(() => replica.close());
  const router = await startRouterUnderTest({
    replicas: [{ id: "r1", url: replica.url }],
    policy: { limits: { maxInFlightPerReplica: 1, ...limits } },
  });
  cleanups.push(() => router.close());
  return { replica, router };
}

function chat(router: RouterUnderTest, content: string, signal?: AbortSignal): Promise<Response> {
  const request = chatRequest({ messages: [{ role: "user", content }] });
  return fetch(`${router.url}/v1/chat/completions`, { ...request, ...(signal ? { signal } : {}) });
}

async function waiting(router: RouterUnderTest, count: number): Promise<void> {
  await until(async () => (await router.metric("evenkeel_held_requests")) === count);
}

test("a request without a free replica waits for one, earliest deadline first", async () => {
  const { replica, router } = await narrow({ maxQueueMs: 60_000 });
  const first = chat(router, "first");
  await replica.received(0);
  // The longer prompt has the later deadline, though it came earlier.
  const long = chat(router, `long ${"word ".repeat(20_000)}`);
  await waiting(router, 1);
  const short = chat(router, "short");
  await waiting(router, 2);
  answer((await replica.received(0)).socket, 200, CHAT_ANSWER);
  expect((await replica.received(1)).body.toString()).toContain("short");
  answer((await replica.received(1)).socket, 200, CHAT_ANSWER);
  answer((await replica.received(2)).socket, 200, CHAT_ANSWER);
  for (const response of await Promise.all([first, long, short])) expect(response.status).toBe(200);
});

test("the queue is bounded: the next request is shed at once with 429 and Retry-After", async () => {
  const { replica, router } = await narrow({ maxQueueMs: 60_000, maxQueued: 1 });
  const running = chat(router, "running");
  await replica.received(0);
  const queued = chat(router, "queued");
  await waiting(router, 1);
  const shed = await chat(router, "shed");
  expect(shed.status).toBe(429);
  expect(Number(shed.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await shed.json()).toMatchObject({ error: { code: "saturated" } });
  answer((await replica.received(0)).socket, 200, CHAT_ANSWER);
  answer((await replica.received(1)).socket, 200, CHAT_ANSWER);
  expect((await running).status).toBe(200);
  expect((await queued).status).toBe(200);
});

test("nobody waits longer than the policy says", async () => {
  const { replica, router } = await narrow({ maxQueueMs: 100 });
  const running = chat(router, "running");
  await replica.received(0);
  expect((await chat(router, "late")).status).toBe(429);
  answer((await replica.received(0)).socket, 200, CHAT_ANSWER);
  expect((await running).status).toBe(200);
});

test("a client that leaves the queue takes its place with it", async () => {
  const { replica, router } = await narrow({ maxQueueMs: 60_000 });
  const running = chat(router, "running");
  await replica.received(0);
  const abort = new AbortController();
  const leaving = chat(router, "leaving", abort.signal);
  await waiting(router, 1);
  abort.abort();
  await expect(leaving).rejects.toThrow();
  await waiting(router, 0);
  answer((await replica.received(0)).socket, 200, CHAT_ANSWER);
  expect((await running).status).toBe(200);
  expect(replica.exchanges).toHaveLength(1);
});

test("requests that arrive while no replica is ready are served when one is", async () => {
  const { replica, router } = await narrow({ maxQueueMs: 60_000, maxInFlightPerReplica: 8 });
  const replacement = await startHostileUpstream(({ socket }) => answer(socket, 200, CHAT_ANSWER));
  cleanups.push(() => replacement.close());
  const gone = await startHostileUpstream(() => {});
  await gone.close();
  await router.writeFleet([{ id: "r2", url: gone.url, model: "other" }]);
  await until(async () => (await fetch(`${router.adminUrl}/readyz`)).status === 503);
  expect((await chat(router, "x")).status).toBe(404);
  await router.writeFleet([{ id: "r1", url: replacement.url }]);
  await until(async () => (await chat(router, "x")).status === 200);
  expect(replica.exchanges).toHaveLength(0);
});
