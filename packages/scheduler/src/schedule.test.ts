import { expect, test } from "vitest";
import type { CompiledPolicy } from "./compile-policy.ts";
import type { Decision } from "./decision.ts";
import { FleetState } from "./fleet-state.ts";
import type { Replica, ReplicaId, ReplicaState } from "./replica.ts";
import type { InferenceRequest } from "./request.ts";
import { seededRng } from "./rng.ts";
import { schedule } from "./schedule.ts";
import { TestFleet, testPolicy, testReplica, testRequest, testSignals } from "./testing-fleet.ts";

const LEAST = testPolicy({ type: "least-request" });

function decide(
  state: FleetState,
  policy: CompiledPolicy,
  over: Partial<InferenceRequest> = {},
  tried?: Set<ReplicaId>,
): Decision {
  const request = testRequest("q", "hello", over);
  return schedule({
    request,
    fleet: state.snapshot(1000),
    signals: state.signalsFor(request, 1000),
    policy,
    nowMs: 1000,
    rng: seededRng(1),
    ...(tried === undefined ? {} : { alreadyTried: tried }),
  });
}

function fleetOf(replicas: readonly Replica[], states: Record<ReplicaId, ReplicaState> = {}): FleetState {
  const state = new FleetState();
  state.setReplicas(replicas, 0);
  for (const [id, each] of Object.entries(states)) state.setReplicaState(id, each, 1);
  return state;
}

test("a model that no policy or no replica knows is rejected as unknown", () => {
  const state = fleetOf([testReplica("a")]);
  expect(decide(state, LEAST, { model: "other" })).toMatchObject({
    kind: "rejected",
    code: "unknown_model",
    candidates: [],
  });
});

test("replicas of other models are no candidates", () => {
  const state = fleetOf([testReplica("a"), testReplica("b", { model: "other" })]);
  expect(decide(state, LEAST)).toMatchObject({ kind: "routed", chosen: "a", filtered: [] });
});

test("each replica that may not be chosen is named with its reason", () => {
  const ids = ["ok", "drained", "cordoned", "new", "bad", "gone", "pre"];
  const replicas = ids.map((id) => testReplica(id, { role: id === "pre" ? "prefill" : "unified" }));
  const state = fleetOf(replicas, {
    drained: "draining",
    cordoned: "cordoned",
    new: "starting",
    bad: "ejected",
    gone: "unreachable",
  });
  expect(decide(state, LEAST)).toMatchObject({
    kind: "routed",
    chosen: "ok",
    isPanic: false,
    filtered: [
      { replica: "drained", reason: "draining" },
      { replica: "cordoned", reason: "cordoned" },
      { replica: "new", reason: "starting" },
      { replica: "bad", reason: "ejected" },
      { replica: "gone", reason: "unreachable" },
      { replica: "pre", reason: "role" },
    ],
  });
});

test("with no healthy replica left the ejected ones are tried, and the decision says so", () => {
  const state = fleetOf([testReplica("a"), testReplica("b"), testReplica("c")], {
    a: "ejected",
    b: "unreachable",
    c: "draining",
  });
  const decision = decide(state, LEAST);
  expect(decision).toMatchObject({ kind: "routed", chosen: "a", isPanic: true });
  expect(decision.candidates[0]?.notes).toContain("panic_mode");
});

test("with only unreachable replicas left they are tried rather than nobody", () => {
  const state = fleetOf([testReplica("a"), testReplica("b")], { a: "unreachable", b: "draining" });
  expect(decide(state, LEAST)).toMatchObject({ kind: "routed", chosen: "a", isPanic: true });
});

test("a replica that asked for a pause gets nothing until it is over, and all of them paused is saturation", () => {
  const state = fleetOf([testReplica("a"), testReplica("b")], {});
  state.pauseReplica("a", Number.MAX_SAFE_INTEGER);
  state.pauseReplica("a", 1);
  expect(decide(state, LEAST)).toMatchObject({ chosen: "b", filtered: [{ replica: "a", reason: "paused" }] });
  state.pauseReplica("b", Number.MAX_SAFE_INTEGER);
  expect(decide(state, LEAST)).toMatchObject({ kind: "rejected", code: "saturated" });
});

test("a fleet that only drains rejects with no_replica", () => {
  expect(decide(fleetOf([testReplica("a")], { a: "draining" }), LEAST)).toMatchObject({
    kind: "rejected",
    code: "no_replica",
  });
});

test("when every replica is at its in-flight limit the request is rejected as saturated", () => {
  const fleet = new TestFleet(
    2,
    testPolicy({ type: "least-request" }, { limits: { maxInFlightPerReplica: 2 } }),
  );
  for (let i = 0; i < 4; i++) fleet.send("hello", 0);
  expect(fleet.decide(testRequest("late", "hello"), 1)).toMatchObject({
    kind: "rejected",
    code: "saturated",
  });
});

test("a retry goes to a replica not tried yet, and says that it is one", () => {
  const state = fleetOf([testReplica("a"), testReplica("b")]);
  expect(decide(state, LEAST, {}, new Set(["a"]))).toMatchObject({
    kind: "routed",
    chosen: "b",
    reason: "retry",
  });
  expect(decide(state, LEAST, {}, new Set(["a", "b"]))).toMatchObject({
    kind: "rejected",
    code: "no_replica",
  });
});

test("pools restrict a model to replicas with their labels, and the decision names the pool", () => {
  const policy = testPolicy(
    { type: "least-request" },
    { pools: [{ name: "fast", labels: { gpu: "h100" } }] },
  );
  const state = fleetOf([
    testReplica("a", { labels: { gpu: "a100" } }),
    testReplica("b", { labels: { gpu: "h100", zone: "1" } }),
  ]);
  expect(decide(state, policy)).toMatchObject({ kind: "routed", chosen: "b", pool: "fast" });
});

test("an adapter goes to replicas of its base model: by the policy, or because an engine lists it", () => {
  const state = fleetOf([testReplica("a"), testReplica("b", { model: "other" })]);
  const policy = testPolicy({ type: "least-request" }, { name: "tuned-*", adapterOf: "m" });
  expect(decide(state, policy, { model: "tuned-1" })).toMatchObject({
    kind: "routed",
    chosen: "a",
    baseModel: "m",
    adapter: "tuned-1",
  });
  expect(decide(state, LEAST, { model: "listed" })).toMatchObject({ kind: "rejected" });
  state.observeSignals("b", testSignals(500, { adapters: ["listed"] }));
  expect(decide(state, LEAST, { model: "listed" })).toMatchObject({
    kind: "routed",
    chosen: "b",
    adapter: "listed",
  });
});

test("missing, stale and fresh signals are told apart", () => {
  const state = fleetOf([testReplica("a"), testReplica("b"), testReplica("c")]);
  const policy = testPolicy({ type: "least-request" }, { limits: { signalsStaleAfterMs: 500 } });
  state.observeSignals("b", testSignals(100));
  state.observeSignals("c", testSignals(900));
  const byReplica = new Map(decide(state, policy).candidates.map((each) => [each.replica, each]));
  expect(byReplica.get("a")).toMatchObject({
    signalAgeMs: null,
    queueDepth: null,
    notes: ["missing_signal", "rate_from_prior"],
  });
  expect(byReplica.get("b")).toMatchObject({
    signalAgeMs: 900,
    queueDepth: 0,
    notes: ["stale_signal", "rate_from_prior"],
  });
  expect(byReplica.get("c")).toMatchObject({ signalAgeMs: 100, notes: ["rate_from_prior"] });
});
