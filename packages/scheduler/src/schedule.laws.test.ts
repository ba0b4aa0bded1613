import fc from "fast-check";
import { expect, test } from "vitest";
import { STRATEGY_CATALOG, strategySpec } from "./catalog.ts";
import type { Decision } from "./decision.ts";
import { FleetState } from "./fleet-state.ts";
import { type EngineSignals, REPLICA_STATES, type ReplicaState } from "./replica.ts";
import { seededRng } from "./rng.ts";
import { schedule } from "./schedule.ts";
import { TestFleet, testPolicy, testReplica, testRequest, testSignals } from "./testing-fleet.ts";

const strategyType = fc.constantFrom(...STRATEGY_CATALOG.map((spec) => spec.type));
const wild = fc.oneof(
  fc.constant(null),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 1e300, 1e9, 0.5),
  fc.double(),
);
const wildSignals: fc.Arbitrary<EngineSignals> = fc.record({
  observedAtMs: fc.oneof(fc.constantFrom(0, 900, 5000, Number.NaN, -1e12), fc.double()),
  running: wild,
  queueDepth: wild,
  kvOccupancy: wild,
  kvCapacityTokens: wild,
  kvBlockTokens: wild,
  adapters: fc.option(fc.array(fc.string(), { maxLength: 3 })),
  adapterSlots: wild,
});
const replicaCase = fc.record({
  state: fc.constantFrom<ReplicaState>(...REPLICA_STATES, "ready", "ready", "ready"),
  signals: fc.option(wildSignals),
  streams: fc.array(
    fc.record({
      length: fc.nat(40_000),
      firstAtMs: fc.option(fc.integer({ min: 0, max: 900 })),
      tokens: fc.nat(200),
    }),
    { maxLength: 5 },
  ),
});
type ReplicaCase = typeof replicaCase extends fc.Arbitrary<infer C> ? C : never;

function decideOn(
  cases: readonly ReplicaCase[],
  type: string,
  order: readonly number[],
  seed: number,
  promptTokens: number,
): Decision {
  const policy = testPolicy({ type });
  const state = new FleetState();
  state.setReplicas(
    order.map((index) => testReplica(`r${index}`)),
    0,
  );
  cases.forEach((each, index) => {
    const id = `r${index}`;
    each.streams.forEach(({ length, firstAtMs, tokens }, stream) => {
      const request = testRequest(`${id}/${stream}`, `${index % 2}`.repeat(length));
      const first = schedule({
        request,
        fleet: state.snapshot(0),
        signals: state.signalsFor(request, 0),
        policy,
        nowMs: 0,
        rng: seededRng(1),
      });
      if (first.kind !== "routed") return;
      state.dispatched({
        streamId: request.id,
        replicaId: id,
        request,
        decision: { ...first, candidates: [] },
        nowMs: 0,
      });
      if (firstAtMs === null) return;
      state.firstToken(request.id, firstAtMs);
      state.tokens(request.id, tokens, 950);
    });
  });
  cases.forEach((each, index) => {
    if (each.signals !== null) state.observeSignals(`r${index}`, each.signals);
    state.setReplicaState(`r${index}`, each.state, 10);
  });
  const request = testRequest("probe", "0".repeat(20_000), { promptTokens, arrivedAtMs: 990 });
  const fleet = state.snapshot(1000);
  const signals = state.signalsFor(request, 1000);
  return schedule({ request, fleet, signals, policy, nowMs: 1000, rng: seededRng(seed) });
}

const cases = fc.array(replicaCase, { minLength: 1, maxLength: 6 });
const tokens = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.constantFrom(Number.NaN, 0, -5, Number.POSITIVE_INFINITY),
);

test("a routed request goes to a candidate, every replica is accounted for, and no number is NaN, whatever engines say", () => {
  fc.assert(
    fc.property(cases, strategyType, tokens, (replicas, type, promptTokens) => {
      const order = replicas.map((_, index) => index);
      const decision = decideOn(replicas, type, order, 5, promptTokens);
      const accounted = decision.candidates.length + decision.filtered.length;
      if (decision.kind === "rejected") {
        expect(decision.code).toBe("no_replica");
        expect(decision.filtered).toHaveLength(replicas.length);
        return;
      }
      expect(accounted).toBe(replicas.length);
      const best = decision.kind === "routed" ? decision.chosen : decision.wouldChoose;
      expect(best).toBe(decision.candidates[0]?.replica);
      const termCount = strategySpec(decision.strategy).terms.length;
      for (const candidate of decision.candidates) {
        for (const value of [
          candidate.cost,
          candidate.predictedTtftMs,
          candidate.cachedTokens,
          ...candidate.terms,
        ]) {
          expect(Number.isFinite(value)).toBe(true);
        }
        expect(candidate.terms).toHaveLength(termCount);
        const sum = candidate.terms.reduce((total, term) => total + term, 0);
        expect(Math.abs(sum - candidate.cost)).toBeLessThanOrEqual(
          1e-6 * Math.max(1, Math.abs(candidate.cost)),
        );
      }
      const costs = decision.candidates.map((candidate) => candidate.cost);
      expect(costs).toEqual([...costs].sort((x, y) => x - y));
    }),
    { numRuns: 150 },
  );
});

test("the order of the fleet does not matter", () => {
  fc.assert(
    fc.property(cases, strategyType, fc.nat(), (replicas, type, seed) => {
      const order = replicas.map((_, index) => index);
      const shuffled = [...order].sort((x, y) => seededRng(seed + x)() - seededRng(seed + y)() || x - y);
      const straight = decideOn(replicas, type, order, seed, 5000);
      const mixed = decideOn(replicas, type, shuffled, seed, 5000);
      expect(mixed.candidates.map((each) => each.replica)).toEqual(
        straight.candidates.map((each) => each.replica),
      );
      expect(mixed.kind).toBe(straight.kind);
    }),
    { numRuns: 80 },
  );
});

test("equal inputs and equal seeds give equal decisions", () => {
  fc.assert(
    fc.property(cases, strategyType, fc.nat(), (replicas, type, seed) => {
      const order = replicas.map((_, index) => index);
      expect(decideOn(replicas, type, order, seed, 5000)).toEqual(
        decideOn(replicas, type, order, seed, 5000),
      );
    }),
    { numRuns: 100 },
  );
});

test("ties are spread over the replicas by the seed", () => {
  const fleet = new TestFleet(4);
  const chosen = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const decision = fleet.decide(testRequest("q", "hello"), 0, seed);
    if (decision.kind === "routed") chosen.add(decision.chosen);
  }
  expect(chosen.size).toBe(4);
});

/** The probe's terms on r0 of two replicas, of which r0 carries the given streams. */
function termsOnFirst(
  streams: readonly { length: number; tokens: number }[],
  extra: (fleet: TestFleet) => void,
): { cost: number; harm: number } {
  const fleet = new TestFleet(2);
  streams.forEach(({ length, tokens: count }, index) => {
    fleet.send(`${index}`.padEnd(length, "-"), 0, { id: `s${index}` }, "r0");
    fleet.state.firstToken(`s${index}`, 10 + index);
    if (count > 0) fleet.state.tokens(`s${index}`, count, 500);
  });
  extra(fleet);
  const decision = fleet.decide(testRequest("probe", "p".repeat(20_000), { arrivedAtMs: 600 }), 600);
  const first = decision.candidates.find((candidate) => candidate.replica === "r0");
  const harm = first?.terms[HARM];
  if (first === undefined || harm === undefined) throw new Error("r0 must be a candidate with every term");
  return { cost: first.cost, harm };
}

const HARM = strategySpec("predicted-cost").terms.findIndex((term) => term.name === "harm");

const running = fc.array(
  fc.record({ length: fc.integer({ min: 1, max: 30_000 }), tokens: fc.oneof(fc.nat(300), fc.nat(3)) }),
  {
    maxLength: 8,
  },
);

// Harm is what ours adds: streams that the queue has broken already are not broken again. Everything else grows.
test("more queue on a replica never makes it more attractive, but for harm that is done already", () => {
  fc.assert(
    fc.property(running, fc.integer({ min: 1, max: 100_000 }), (streams, length) => {
      const without = termsOnFirst(streams, () => {});
      const queued = termsOnFirst(streams, (fleet) => {
        fleet.send("q".repeat(length), 600, { id: "queued" }, "r0");
      });
      expect(queued.cost - queued.harm).toBeGreaterThanOrEqual(without.cost - without.harm);
    }),
    { numRuns: 120 },
  );
});

test("more queue of others, as the engine reports it, never makes it more attractive, but for the same", () => {
  fc.assert(
    fc.property(running, fc.nat(50), fc.nat(50), (streams, few, more) => {
      const report = (queueDepth: number) => (fleet: TestFleet) => {
        fleet.state.observeSignals("r1", testSignals(600));
        fleet.state.observeSignals("r0", testSignals(600, { running: streams.length, queueDepth }));
      };
      const short = termsOnFirst(streams, report(few));
      const long = termsOnFirst(streams, report(few + more));
      expect(long.cost - long.harm).toBeGreaterThanOrEqual(short.cost - short.harm);
    }),
    { numRuns: 80 },
  );
});

test("more cached prefix on a replica never makes it less attractive", () => {
  fc.assert(
    fc.property(
      running,
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 20_000 }),
      (streams, one, other) => {
        const cache = (length: number) => (fleet: TestFleet) => {
          fleet.send("p".repeat(length), 300, { id: "earlier" }, "r0");
          fleet.state.ended("earlier", "client_gone", 301);
        };
        const [short, long] = [Math.min(one, other), Math.max(one, other)];
        const lessCached = termsOnFirst(streams, cache(short)).cost;
        expect(termsOnFirst(streams, cache(long)).cost).toBeLessThanOrEqual(lessCached + 1e-9);
      },
    ),
    { numRuns: 80 },
  );
});
