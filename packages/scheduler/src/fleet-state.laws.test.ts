import fc from "fast-check";
import { expect, test } from "vitest";
import type { RoutedDecision } from "./decision.ts";
import { FleetState, type StreamOutcome } from "./fleet-state.ts";
import { testReplica, testRequest } from "./testing-fleet.ts";

const REPLICAS = ["r0", "r1", "r2"];

const streamId = fc.constantFrom("a", "b", "c", "d", "e");
const event = fc.oneof(
  fc.record({
    kind: fc.constant("dispatched" as const),
    stream: streamId,
    replica: fc.constantFrom(...REPLICAS),
    streams: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("firstToken" as const), stream: streamId }),
  fc.record({
    kind: fc.constant("tokens" as const),
    stream: streamId,
    count: fc.integer({ min: -1, max: 9 }),
  }),
  fc.record({ kind: fc.constant("usage" as const), stream: streamId, cached: fc.option(fc.nat(900)) }),
  fc.record({
    kind: fc.constant("ended" as const),
    stream: streamId,
    outcome: fc.constantFrom<StreamOutcome>("completed", "client_gone", "failed"),
  }),
  fc.record({ kind: fc.constant("snapshot" as const) }),
  fc.record({ kind: fc.constant("leave" as const), replica: fc.constantFrom(...REPLICAS) }),
  fc.record({ kind: fc.constant("state" as const), replica: fc.constantFrom(...REPLICAS) }),
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

function decisionFor(replica: string): RoutedDecision {
  return {
    kind: "routed",
    requestId: "",
    decidedAtMs: 0,
    policyRevision: 1,
    strategy: "predicted-cost",
    pool: null,
    arm: null,
    baseModel: "m",
    adapter: null,
    filtered: [],
    chosen: replica,
    segment: "",
    reason: "shortest_wait",
    candidates: [],
    predictedOutputTokens: 1,
    isPanic: false,
  };
}

/** Feeds the events and keeps a plain list of what is open where. */
function replay(events: readonly Event[]): { state: FleetState; open: Map<string, string>; nowMs: number } {
  const state = new FleetState();
  state.setReplicas(
    REPLICAS.map((id) => testReplica(id)),
    0,
  );
  const open = new Map<string, string>();
  const endedOn = new Map<string, string>();
  let nowMs = 0;
  for (const each of events) {
    nowMs += 7;
    switch (each.kind) {
      case "dispatched": {
        const request = testRequest(each.stream, "p".repeat(3000), { isStreaming: each.streams });
        const decision = decisionFor(each.replica);
        state.dispatched({ streamId: each.stream, replicaId: each.replica, request, decision, nowMs });
        if (!open.has(each.stream) && endedOn.get(each.stream) === each.replica) break;
        if (open.get(each.stream) !== each.replica) endedOn.delete(each.stream);
        open.set(each.stream, each.replica);
        break;
      }
      case "firstToken":
        state.firstToken(each.stream, nowMs);
        break;
      case "tokens":
        state.tokens(each.stream, each.count, nowMs);
        break;
      case "usage":
        state.usage(each.stream, { promptTokens: 750, cachedTokens: each.cached, outputTokens: 20 });
        break;
      case "ended": {
        state.ended(each.stream, each.outcome, nowMs);
        const replica = open.get(each.stream);
        if (replica !== undefined) endedOn.set(each.stream, replica);
        open.delete(each.stream);
        break;
      }
      case "snapshot":
        state.snapshot(nowMs);
        break;
      case "leave":
        state.setReplicaState(each.replica, "draining", nowMs);
        break;
      case "state":
        state.setReplicaState(each.replica, "ready", nowMs);
        break;
    }
  }
  return { state, open, nowMs };
}

test("in-flight counts equal the streams that are open, in whatever order and however often events come", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const { state, open, nowMs } = replay(events);
      for (const view of state.snapshot(nowMs).replicas) {
        const expected = [...open.values()].filter((replica) => replica === view.id).length;
        expect(view.inFlight).toBe(expected);
        expect(view.prefilling.length + view.decoding.count + view.silentDecoding).toBe(expected);
        expect(view.prefillingTokens).toBeGreaterThanOrEqual(0);
        expect(view.contextTokens).toBeGreaterThanOrEqual(0);
        expect(view.ownKvTokens).toBeGreaterThanOrEqual(0);
      }
      expect(state.inFlight).toBe(open.size);
    }),
    { numRuns: 200 },
  );
});

test("once everything has ended the books are empty", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const { state, nowMs } = replay(events);
      for (const stream of ["a", "b", "c", "d", "e"]) state.ended(stream, "client_gone", nowMs + 1);
      for (const view of state.snapshot(nowMs + 2).replicas) {
        expect([view.inFlight, view.contextTokens, view.ownKvTokens, view.prefillingTokens]).toEqual([
          0, 0, 0, 0,
        ]);
        expect([view.prefilling.length, view.decoding.count, view.silentDecoding]).toEqual([0, 0, 0]);
      }
    }),
  );
});

test("speed factors stay finite and positive whatever is observed", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 120 }), (events) => {
      const { state, nowMs } = replay(events);
      for (const view of state.snapshot(nowMs).replicas) {
        expect(view.prefillFactor(nowMs)).toBeGreaterThan(0);
        expect(view.stepFactor(nowMs)).toBeGreaterThan(0);
        expect(Number.isFinite(view.prefillFactor(nowMs) + view.stepFactor(nowMs))).toBe(true);
      }
    }),
  );
});

test("equal events give equal books", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const views = [replay(events), replay(events)].map(({ state, nowMs }) =>
        state.snapshot(nowMs).replicas.map((view) => ({
          inFlight: view.inFlight,
          contextTokens: view.contextTokens,
          factor: view.prefillFactor(nowMs),
          step: view.stepFactor(nowMs),
          calibration: view.cacheCalibration,
        })),
      );
      expect(views[0]).toEqual(views[1]);
    }),
  );
});
