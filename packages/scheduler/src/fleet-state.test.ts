import { expect, test } from "vitest";
import type { ReplicaView } from "./fleet-snapshot.ts";
import { FleetState } from "./fleet-state.ts";
import { TestFleet, testReplica, testRequest, testSignals } from "./testing-fleet.ts";

function view(fleet: TestFleet, id: string, nowMs: number): ReplicaView {
  const found = fleet.state.snapshot(nowMs).replicas.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no replica ${id}`);
  return found;
}

/** Sends one prompt to r0 and streams its answer: first token after `prefillMs`, then a token every `gapMs`. */
function serve(
  fleet: TestFleet,
  id: string,
  text: string,
  startMs: number,
  prefillMs: number,
  gapMs: number,
): void {
  fleet.send(text, startMs, { id }, "r0");
  fleet.state.firstToken(id, startMs + prefillMs);
  for (let i = 1; i <= 20; i++) fleet.state.tokens(id, 1, startMs + prefillMs + i * gapMs);
  fleet.state.ended(id, "completed", startMs + prefillMs + 20 * gapMs);
}

test("an end that overtakes the first token closes the stream for good", () => {
  const fleet = new TestFleet(1);
  fleet.send("hello", 0, { id: "s" });
  fleet.state.ended("s", "completed", 10);
  fleet.state.firstToken("s", 12);
  fleet.state.tokens("s", 3, 13);
  expect(view(fleet, "r0", 20)).toMatchObject({ inFlight: 0, contextTokens: 0, decoding: { count: 0 } });
});

test("a retry on another replica under the same id counts there and nowhere else", () => {
  const fleet = new TestFleet(2);
  const decision = fleet.send("hello", 0, { id: "s" }, "r0");
  fleet.state.ended("s", "failed", 5);
  const request = testRequest("s", "hello");
  fleet.state.dispatched({ streamId: "s", replicaId: "r1", request, decision, nowMs: 6 });
  expect([view(fleet, "r0", 7).inFlight, view(fleet, "r1", 7).inFlight]).toEqual([0, 1]);
});

test("a burst between two scrapes is seen at once: each dispatch counts before any token comes", () => {
  const fleet = new TestFleet(4);
  const chosen = Array.from({ length: 8 }, (_, i) => fleet.send(`prompt ${i} `.repeat(2000), 0).chosen);
  expect(new Set(chosen).size).toBe(4);
  for (const id of ["r0", "r1", "r2", "r3"]) expect(view(fleet, id, 1).inFlight).toBe(2);
});

test("replicas that stay keep what was learned of them, those whose build changed start anew", () => {
  const fleet = new TestFleet(2);
  for (let i = 0; i < 10; i++) serve(fleet, `s${i}`, `${i} `.repeat(20_000), i * 10_000, 2000, 30);
  const slow = view(fleet, "r0", 100_000).prefillFactor(100_000);
  expect(slow).toBeGreaterThan(1.5);
  fleet.state.setReplicas([testReplica("r0"), testReplica("r1"), testReplica("r2")], 100_000);
  expect(view(fleet, "r0", 100_000).prefillFactor(100_000)).toBeCloseTo(slow, 5);
  fleet.state.setReplicas([testReplica("r0", { labels: { version: "2" } })], 100_000);
  expect(view(fleet, "r0", 100_000).prefillFactor(100_000)).toBe(1);
  const request = testRequest("q", "0 ".repeat(20_000));
  expect(Math.max(...Array.from(fleet.state.signalsFor(request, 100_000).matchedTokens))).toBe(0);
});

test("a replica twice as slow in prefill and decode is learned as such", () => {
  const fleet = new TestFleet(1);
  // 10,000 tokens on the shape: 172 ms of compute, 45 ms of attention, two chunks; a lone decode step takes 6.6 ms.
  for (let i = 0; i < 12; i++)
    serve(fleet, `s${i}`, `${i},`.padEnd(40_000, `${i}`), i * 5000, 2 * 220 + 8, 2 * 7.1);
  const learned = view(fleet, "r0", 60_000);
  expect(learned.prefillFactor(60_000)).toBeGreaterThan(1.85);
  expect(learned.prefillFactor(60_000)).toBeLessThan(2.15);
  expect(learned.stepFactor(60_000)).toBeGreaterThan(1.85);
  expect(learned.stepFactor(60_000)).toBeLessThan(2.15);
  expect(learned.hasLearnedRates).toBe(true);
});

test("cached tokens are believed as far as the replies bear them out", () => {
  const fleet = new TestFleet(1);
  const prompt = "abcd".repeat(10_000);
  fleet.send(prompt, 0, { id: "first" });
  fleet.state.ended("first", "completed", 100);
  for (let i = 0; i < 30; i++) {
    fleet.send(prompt, 1000 * i, { id: `s${i}` });
    fleet.state.usage(`s${i}`, { promptTokens: 10_000, cachedTokens: 5000, outputTokens: 10 });
    fleet.state.ended(`s${i}`, "completed", 1000 * i + 100);
  }
  expect(view(fleet, "r0", 40_000).cacheCalibration).toBeGreaterThan(0.49);
  expect(view(fleet, "r0", 40_000).cacheCalibration).toBeLessThan(0.53);
});

test("usage counts once, also when it comes just after the end", () => {
  const fleet = new TestFleet(1);
  const prompt = "abcd".repeat(10_000);
  fleet.send(prompt, 0, { id: "a" });
  fleet.state.ended("a", "completed", 1);
  fleet.send(prompt, 2, { id: "b" });
  fleet.state.ended("b", "completed", 3);
  const usage = { promptTokens: 10_000, cachedTokens: 0, outputTokens: 10 };
  fleet.state.usage("b", usage);
  const once = view(fleet, "r0", 4).cacheCalibration;
  fleet.state.usage("b", usage);
  expect(once).toBeLessThan(1);
  expect(view(fleet, "r0", 4).cacheCalibration).toBe(once);
});

test("the token estimate follows the prompt lengths that engines report", () => {
  const fleet = new TestFleet(1);
  expect(fleet.state.estimatePromptTokens("m", 4000)).toBe(1000);
  for (let i = 0; i < 200; i++) {
    fleet.send("wide".repeat(1000), i, { id: `s${i}` });
    fleet.state.usage(`s${i}`, { promptTokens: 2000, cachedTokens: null, outputTokens: null });
    fleet.state.ended(`s${i}`, "completed", i);
  }
  expect(fleet.state.estimatePromptTokens("m", 4000)).toBeGreaterThan(1950);
});

test("requests that do not stream are taken to decode from their predicted first token on", () => {
  const fleet = new TestFleet(1);
  const decision = fleet.send("x".repeat(40_000), 0, { id: "s", isStreaming: false });
  const ttftMs = decision.candidates[0]?.predictedTtftMs ?? 0;
  expect(view(fleet, "r0", ttftMs - 1)).toMatchObject({ prefilling: [{}], silentDecoding: 0 });
  expect(view(fleet, "r0", ttftMs + 1)).toMatchObject({ prefilling: [], silentDecoding: 1, inFlight: 1 });
});

test("gauges above our own load count as others' load, gauges within it do not", () => {
  const fleet = new TestFleet(2);
  for (let i = 0; i < 3; i++) fleet.send("short", 0, {}, "r0");
  fleet.state.observeSignals("r0", testSignals(100, { running: 2, queueDepth: 1 }));
  expect(view(fleet, "r0", 100).foreign(100)).toMatchObject({ running: 0, queued: 0 });
  fleet.state.observeSignals("r0", testSignals(200, { running: 6, queueDepth: 4 }));
  expect(view(fleet, "r0", 200).foreign(200)).toMatchObject({ running: 6, queued: 1, observedAtMs: 200 });
});

test("a replica that reports nothing is taken to carry its segment's mean load of others, not none", () => {
  const fleet = new TestFleet(3);
  fleet.state.observeSignals("r0", testSignals(100, { running: 10 }));
  fleet.state.observeSignals("r1", testSignals(100, { running: 20 }));
  expect(view(fleet, "r2", 100).foreign(100)).toMatchObject({ running: 15, queued: 0, observedAtMs: null });
});

test("impossible readings become null and are remembered as invalid; older readings are dropped", () => {
  const fleet = new TestFleet(1);
  fleet.state.observeSignals(
    "r0",
    testSignals(100, { running: Number.NaN, queueDepth: -3, kvOccupancy: 94 }),
  );
  expect(view(fleet, "r0", 100)).toMatchObject({
    hasInvalidSignal: true,
    signals: { running: null, queueDepth: null, kvOccupancy: null },
  });
  fleet.state.observeSignals("r0", testSignals(50, { running: 7 }));
  expect(view(fleet, "r0", 100).signals?.running).toBeNull();
});

test("events of replicas that left the fleet do no harm", () => {
  const state = new FleetState();
  state.setReplicas([testReplica("r0")], 0);
  const fleet = new TestFleet(1);
  fleet.send("hello", 0, { id: "s" });
  fleet.state.setReplicas([testReplica("other")], 1);
  fleet.state.firstToken("s", 2);
  fleet.state.tokens("s", 4, 3);
  fleet.state.ended("s", "completed", 4);
  fleet.state.setReplicaState("r0", "ejected", 5);
  fleet.state.observeSignals("r0", testSignals(6));
  expect(fleet.state.inFlight).toBe(0);
  expect(view(fleet, "other", 7).inFlight).toBe(0);
});

test("what other routers say of their load goes before the gauges, adds to wait and batch, and fades in two seconds", () => {
  const fleet = new TestFleet(2);
  fleet.state.observeSignals("r0", testSignals(0, { running: 0 }));
  fleet.state.observePeer(
    "router-2",
    "r0",
    { waitMs: 400, decoding: 9, queued: 2, contextTokens: 50_000 },
    100,
  );
  fleet.state.observePeer(
    "router-3",
    "r0",
    { waitMs: 100, decoding: 1, queued: 1, contextTokens: Number.NaN },
    150,
  );
  expect(view(fleet, "r0", 200).foreign(200)).toEqual({
    waitMs: 500,
    running: 10,
    queued: 3,
    contextTokens: 50_000,
    observedAtMs: 150,
  });
  expect(fleet.send("hello", 200).chosen).toBe("r1");
  expect(view(fleet, "r0", 3000).foreign(3000)).toMatchObject({ running: 0, queued: 0 });
});

test("a router's own load on a replica is what another needs to know of it", () => {
  const fleet = new TestFleet(2);
  fleet.send("x".repeat(40_000), 0, { id: "a" }, "r0");
  fleet.state.firstToken("a", 300);
  fleet.send("y".repeat(40_000), 300, { id: "b" }, "r0");
  expect(fleet.state.ownLoad("r0", 310)).toMatchObject({ decoding: 1, queued: 1, contextTokens: 10_001 });
  expect(fleet.state.ownLoad("r0", 310)?.waitMs).toBeGreaterThan(150);
  expect(fleet.state.ownLoad("gone", 310)).toBeNull();
});

test("prompts that other routers sent are known to be cached", () => {
  const fleet = new TestFleet(3);
  const request = testRequest("q", "shared ".repeat(3000));
  fleet.state.peerDispatched("r2", request.prefix, request.promptTokens);
  expect(fleet.decide(request, 0)).toMatchObject({ chosen: "r2", reason: "prefix_match" });
});

test("a stale reading of others' load gives way to the segment's mean, not to none", () => {
  const fleet = new TestFleet(2);
  fleet.state.observeSignals("r0", testSignals(0, { running: 30 }));
  fleet.state.observeSignals("r1", testSignals(20_000, { running: 10 }));
  expect(view(fleet, "r0", 5000).foreign(5000).running).toBe(30);
  expect(view(fleet, "r0", 20_000).foreign(20_000)).toMatchObject({ running: 20, observedAtMs: null });
});
