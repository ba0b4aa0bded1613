import { expect, test } from "vitest";
import type { FleetSnapshot } from "./fleet-snapshot.ts";
import { FleetState } from "./fleet-state.ts";
import { seededRng } from "./rng.ts";
import { schedule } from "./schedule.ts";
import { TestFleet, testPolicy, testReplica, testRequest } from "./testing-fleet.ts";

const POLICY = testPolicy({ type: "predicted-cost", holding: false });

function sharedRouter(): FleetState {
  const state = new FleetState({ isShared: true });
  state.setReplicas(
    ["r0", "r1", "r2", "r3", "r4", "r5"].map((id) => testReplica(id)),
    0,
  );
  return state;
}

function choose(state: FleetState, text: string, sessionKey: string | null, seed: number): string {
  const request = testRequest(`${seed}`, text, { sessionKey });
  const fleet: FleetSnapshot = state.snapshot(0);
  const signals = state.signalsFor(request, 0);
  const decision = schedule({ request, fleet, signals, policy: POLICY, nowMs: 0, rng: seededRng(seed) });
  return decision.kind === "routed" ? decision.chosen : decision.kind;
}

test("routers that have not met a session or a prefix before send it to the same replica without a word", () => {
  for (const session of ["a", "b", "c", null]) {
    const text = `${session} context `.repeat(2000);
    const chosen = new Set([1, 2, 3].map((seed) => choose(sharedRouter(), text, session, seed)));
    expect(chosen.size).toBe(1);
  }
});

test("different prefixes have different homes", () => {
  const state = sharedRouter();
  const homes = new Set(
    Array.from({ length: 30 }, (_, i) => choose(state, `${i} context `.repeat(2000), null, i)),
  );
  expect(homes.size).toBe(6);
});

test("a router alone has no homes: ties are drawn", () => {
  const chosen = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const decision = new TestFleet(6).decide(testRequest("q", "context ".repeat(2000)), 0, seed);
    if (decision.kind === "routed") chosen.add(decision.chosen);
  }
  expect(chosen.size).toBeGreaterThan(3);
});

test("homes that turn out cold are believed less and less", () => {
  const state = sharedRouter();
  const believed = (text: string) =>
    Math.max(...Array.from(state.signalsFor(testRequest("probe", text), 0).matchedTokens));
  const before = believed("probe ".repeat(4000));
  for (let i = 0; i < 100; i++) {
    const request = testRequest(`q${i}`, `${i} cold `.repeat(2000));
    const decision = schedule({
      request,
      fleet: state.snapshot(i),
      signals: state.signalsFor(request, i),
      policy: POLICY,
      nowMs: i,
      rng: seededRng(i),
    });
    if (decision.kind !== "routed") throw new Error("must be routed");
    state.dispatched({ streamId: request.id, replicaId: decision.chosen, request, decision, nowMs: i });
    state.usage(request.id, { promptTokens: request.promptTokens, cachedTokens: 0, outputTokens: 5 });
    state.ended(request.id, "completed", i);
  }
  expect(believed("probe ".repeat(4000))).toBeLessThan(0.2 * before);
});
