import { expect, test } from "vitest";
import { TestFleet, testPolicy, testRequest, testSignals } from "../testing-fleet.ts";

const HOLDING = testPolicy({ type: "predicted-cost" });

test("a long prompt goes where its prefix is cached", () => {
  const fleet = new TestFleet(4);
  const prompt = "the same long context ".repeat(2000);
  const first = fleet.send(prompt, 0, { id: "a" });
  fleet.state.ended("a", "completed", 3000);
  const decision = fleet.send(`${prompt} and a question`, 5000);
  expect(decision.chosen).toBe(first.chosen);
  expect(decision.reason).toBe("prefix_match");
});

test("a prefix is left behind when its replica's queue costs more than computing it again", () => {
  const fleet = new TestFleet(2);
  const prompt = "short shared context ".repeat(100);
  fleet.send(prompt, 0, { id: "a" }, "r0");
  fleet.state.ended("a", "completed", 500);
  for (let i = 0; i < 4; i++) fleet.send(`${i}`.repeat(60_000), 1000, {}, "r0");
  expect(fleet.send(`${prompt} and a question`, 1001)).toMatchObject({
    chosen: "r1",
    reason: "shortest_wait",
  });
});

test("of two replicas in equal use the one that has proved slower is avoided", () => {
  const fleet = new TestFleet(2);
  for (let i = 0; i < 8; i++) {
    for (const [replica, prefillMs] of [
      ["r0", 500],
      ["r1", 230],
    ] as const) {
      const id = `${replica}/${i}`;
      fleet.send(`${i}${replica}`.repeat(10_000), 10_000 * i, { id }, replica);
      fleet.state.firstToken(id, 10_000 * i + prefillMs);
      fleet.state.ended(id, "completed", 10_000 * i + prefillMs + 10);
    }
  }
  for (let i = 0; i < 5; i++)
    expect(fleet.decide(testRequest("q", "y".repeat(40_000)), 90_000, i)).toMatchObject({ chosen: "r1" });
});

/** A fleet where each replica decodes streams that are young: a long stall would probably break them. */
function youngStreams(fleet: TestFleet, nowMs: number): void {
  for (const replica of ["r0", "r1"]) {
    for (let i = 0; i < 4; i++) {
      const id = `${replica}/${i}`;
      fleet.send(`${id}`, nowMs - 40, { id }, replica);
      fleet.state.firstToken(id, nowMs - 20);
      fleet.state.tokens(id, 1, nowMs - 10);
    }
  }
}

test("a long prefill is held while every replica has young streams it would break, and is let go in time", () => {
  const fleet = new TestFleet(2, HOLDING);
  youngStreams(fleet, 1000);
  const request = testRequest("long", "z".repeat(120_000), { arrivedAtMs: 1000 });
  const held = fleet.decide(request, 1000);
  expect(held).toMatchObject({ kind: "held", untilMs: 1025 });
  expect(held.candidates).toHaveLength(2);
  // Its objective is 5 s; prefill takes about 0.9 s; it may not wait past six tenths of the rest.
  expect(fleet.decide(request, 1000 + 2600)).toMatchObject({ kind: "routed" });
});

test("holding ends as soon as one replica's streams have earned enough to forgive the stall", () => {
  const fleet = new TestFleet(2, HOLDING);
  youngStreams(fleet, 1000);
  const request = testRequest("long", "z".repeat(120_000), { arrivedAtMs: 1000 });
  expect(fleet.decide(request, 1100).kind).toBe("held");
  for (let i = 0; i < 4; i++) fleet.state.tokens(`r1/${i}`, 60, 1200);
  expect(fleet.decide(request, 1201)).toMatchObject({ kind: "routed", chosen: "r1" });
});

test("one policy field turns holding off", () => {
  const fleet = new TestFleet(2, testPolicy({ type: "predicted-cost", holding: false }));
  youngStreams(fleet, 1000);
  const request = testRequest("long", "z".repeat(120_000), { arrivedAtMs: 1000 });
  expect(fleet.decide(request, 1000).kind).toBe("routed");
});

test("short prefills and retries are never held", () => {
  const fleet = new TestFleet(2, HOLDING);
  youngStreams(fleet, 1000);
  expect(fleet.decide(testRequest("short", "z".repeat(2000), { arrivedAtMs: 1000 }), 1000).kind).toBe(
    "routed",
  );
});

test("a prompt that does not fit beside what runs is charged for the wait until it does", () => {
  const fleet = new TestFleet(2);
  fleet.state.observeSignals("r0", {
    observedAtMs: 0,
    running: 0,
    queueDepth: 0,
    kvOccupancy: 0,
    kvCapacityTokens: 20_000,
    kvBlockTokens: 16,
    adapters: null,
    adapterSlots: null,
  });
  for (let i = 0; i < 3; i++) {
    fleet.send(`${i}`.repeat(24_000), 0, { id: `s${i}` }, "r0");
    fleet.state.firstToken(`s${i}`, 1000);
  }
  const terms = new Map(
    fleet
      .decide(testRequest("q", "z".repeat(40_000)), 2000)
      .candidates.map((each) => [each.replica, each.terms[5] ?? 0]),
  );
  expect((terms.get("r0") ?? 0) - (terms.get("r1") ?? 0)).toBeGreaterThan(100);
});

/** A session whose context of 10,000 tokens is on r0, where other work then queues. */
function busyPin(queuedPrompts: number): TestFleet {
  const fleet = new TestFleet(2);
  fleet.send("c".repeat(40_000), 0, { id: "turn1", sessionKey: "s" }, "r0");
  fleet.state.ended("turn1", "completed", 1000);
  for (let i = 0; i < queuedPrompts; i++) fleet.send(`${i}`.repeat(30_000), 2000, {}, "r0");
  return fleet;
}

const TURN_2 = { sessionKey: "s", arrivedAtMs: 2001 };

test("a session stays on its replica while moving saves less than the margin", () => {
  const decision = busyPin(1).send("c".repeat(42_000), 2001, TURN_2);
  expect(decision).toMatchObject({ chosen: "r0", reason: "kept_pin" });
});

test("a session moves when that saves more than its prefill elsewhere and the margin, and the pin counts the move", () => {
  const fleet = busyPin(6);
  expect(fleet.send("c".repeat(42_000), 2001, TURN_2).chosen).toBe("r1");
  expect(fleet.state.pins.find("m", "s", 2001)).toMatchObject({ replica: "r1", sinceMs: 2001, moves: 1 });
});

test("a session that has just moved does not move back within the dwell time, whatever the load", () => {
  const fleet = busyPin(6);
  fleet.send("c".repeat(42_000), 2001, { ...TURN_2, id: "turn2" });
  for (let i = 0; i < 12; i++) fleet.send(`x${i}`.repeat(20_000), 2002, {}, "r1");
  const decide = (nowMs: number) =>
    fleet.decide(testRequest("turn3", "c".repeat(44_000), { ...TURN_2, arrivedAtMs: nowMs }), nowMs);
  expect(decide(3000)).toMatchObject({ chosen: "r1", reason: "kept_pin" });
  expect(decide(8000)).toMatchObject({ chosen: "r0" });
});

test("an adapter goes where it is resident while that replica is not much busier", () => {
  const fleet = new TestFleet(3, testPolicy({ type: "predicted-cost", holding: false }, { adapterOf: "m" }));
  const first = fleet.send("hello", 0, { id: "first", model: "tuned" });
  fleet.state.ended("first", "completed", 500);
  const decision = fleet.send("hello again", 1000, { model: "tuned" });
  expect(decision).toMatchObject({ chosen: first.chosen, reason: "adapter_resident", adapter: "tuned" });
  const terms = new Map(decision.candidates.map((each) => [each.replica, each.terms[2]]));
  expect(terms.get(first.chosen)).toBe(0);
  for (const [replica, adapterMs] of terms)
    if (replica !== first.chosen) expect(adapterMs).toBeGreaterThanOrEqual(1000);
});

test("a pin older than its policy's time to live binds nothing", () => {
  const policy = testPolicy(
    { type: "predicted-cost", holding: false },
    { sessions: { pinTtlMs: 1000, moveMargin: 10 } },
  );
  const reasonAfter = (idleMs: number) => {
    const fleet = new TestFleet(2, policy);
    fleet.send("c".repeat(40_000), 0, { id: "turn1", sessionKey: "s" }, "r0");
    fleet.state.ended("turn1", "completed", 500);
    return fleet.send("c".repeat(42_000), idleMs, { sessionKey: "s" }).reason;
  };
  expect(reasonAfter(900)).toBe("kept_pin");
  expect(reasonAfter(1100)).toBe("prefix_match");
});

test("a shared prefix takes KV room once, however many requests use it; private contexts take theirs each", () => {
  const workWith = (kvCapacityTokens: number, textOf: (i: number) => string) => {
    const fleet = new TestFleet(1);
    fleet.state.observeSignals("r0", { ...testSignals(0), kvCapacityTokens });
    for (let i = 0; i < 3; i++) {
      fleet.send(textOf(i), 0, { id: `s${i}` });
      fleet.state.firstToken(`s${i}`, 1000);
    }
    return fleet.decide(testRequest("q", textOf(3)), 2000).candidates[0]?.terms[5] ?? Number.NaN;
  };
  const shared = (i: number) => `${"s".repeat(48_000)}${i}`;
  const own = (i: number) => `${i}`.repeat(48_000);
  expect(workWith(40_000, shared)).toBeCloseTo(workWith(1_000_000, shared), 6);
  expect(workWith(40_000, own) - workWith(1_000_000, own)).toBeGreaterThan(100);
});
