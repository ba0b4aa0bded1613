import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { runOpenLoop } from "./open-loop.ts";
import { promptBodies } from "./prompt-bodies.ts";
import { Upstream } from "./upstream.ts";

const load = { ratePerSecond: 200, durationMs: 400, warmUpMs: 100, patienceMs: 5_000, seed: 3 };

test("every request is answered and measured from when it was due", async () => {
  const upstream = new Upstream();
  onTestFinished(() => upstream.close());
  const result = await runOpenLoop({
    ...load,
    ports: await upstream.listen(3),
    bodies: promptBodies(4, false, 1),
  });
  expect(result.failed).toBe(0);
  expect(result.requests).toBeGreaterThan(0);
  expect(result.allRequests).toBeGreaterThan(result.requests);
  // Lateness of the generator is part of the latency, so it cannot exceed it.
  expect(result.latencyMs.p50).toBeGreaterThanOrEqual(result.firstByteMs.p50);
  expect(result.eventMs).toBeNull();
});

test("a target that never answers gets the same requests as one that does, and all count as failed", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}).resume());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => {
    silent.close();
  });
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const upstream = new Upstream();
  onTestFinished(() => upstream.close());
  const bodies = promptBodies(1, false, 1);
  const answered = await runOpenLoop({ ...load, ports: await upstream.listen(1), bodies });
  const unanswered = await runOpenLoop({ ...load, patienceMs: 50, ports: [address.port], bodies });
  expect(unanswered.allRequests).toBe(answered.allRequests);
  expect(unanswered.failed).toBe(unanswered.requests);
  expect(unanswered.failures).toEqual({ none: unanswered.requests });
});

test("the events of streams are counted and timed", async () => {
  const upstream = new Upstream();
  onTestFinished(() => upstream.close());
  const ports = await upstream.listen(1);
  const result = await runOpenLoop({ ...load, ratePerSecond: 50, ports, bodies: promptBodies(4, true, 1) });
  expect(result.failed).toBe(0);
  expect(result.allEvents).toBe(result.allRequests * 100);
  expect(result.eventMs?.p50).toBeGreaterThan(0);
});
