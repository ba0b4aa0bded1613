import { type CompiledPolicy, compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { expect, test } from "vitest";
import { presetNamed } from "../replica-presets.ts";
import type { TraceRequest } from "../traces/trace-request.ts";
import { simulateFleet } from "./fleet-simulation.ts";
import { DEFAULT_DELAYS, type FleetMember, type SimulationOptions } from "./simulation-options.ts";
import { openLoop } from "./workload.ts";

function policyOf(type: string): CompiledPolicy {
  const compiled = compilePolicy({ version: 1, models: [{ name: "*", strategy: { type } }] }, 1);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.policy;
}

function members(count: number): FleetMember[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${index + 1}`,
    parameters: presetNamed("llama-8b-h100"),
  }));
}

/** 39 conversations of 5 turns that share a system prompt. */
function conversations(): TraceRequest[] {
  return Array.from({ length: 195 }, (_, index) => {
    const session = index % 39;
    const turn = Math.floor(index / 39);
    const blockIds = [
      0,
      ...Array.from({ length: 4 * (turn + 1) }, (_, block) => 1000 * (session + 1) + block),
    ];
    return {
      atMs: turn * 6000 + session * 120,
      promptTokens: 512 * blockIds.length,
      outputTokens: 40 + ((index * 37) % 160),
      blockIds,
      blockTokens: 512,
      sessionKey: `s${session}`,
      adapter: null,
    };
  });
}

function options(overrides: Partial<SimulationOptions> = {}): SimulationOptions {
  return {
    workload: openLoop(conversations(), 1),
    model: "test/model",
    members: members(4),
    policy: policyOf("predicted-cost"),
    seed: 1,
    ...overrides,
  };
}

for (const strategy of ["predicted-cost", "round-robin", "least-request"]) {
  test(`${strategy}: every request is answered once, and equal options give equal runs`, () => {
    const run = (): unknown => {
      const result = simulateFleet(options({ policy: policyOf(strategy) }));
      expect(result.report).toMatchObject({ requests: 195, completed: 195, rejected: 0, failed: 0 });
      return result.served;
    };
    expect(run()).toEqual(run());
  });
}

test("predicted-cost sends the turns of a conversation to where their prefix is", () => {
  const blind = simulateFleet(options({ policy: policyOf("round-robin") })).report;
  const aware = simulateFleet(options()).report;
  expect(aware.hitRate ?? 0).toBeGreaterThan(0.65);
  expect(aware.hitRate ?? 0).toBeGreaterThan((blind.hitRate ?? 0) + 0.2);
});

test("time to first token includes the way to the engine", () => {
  const slow = simulateFleet(options({ delays: { ...DEFAULT_DELAYS, toEngineMs: 500 } })).served;
  expect(Math.min(...slow.map(({ ttftMs }) => ttftMs ?? 0))).toBeGreaterThan(500);
});

test("late observations and several routers lose no request", () => {
  const result = simulateFleet(
    options({
      routers: 3,
      delays: { toEngineMs: 8, observationMs: 50, scrapeIntervalMs: 5000, scrapeDelayMs: 100 },
    }),
  );
  expect(result.report).toMatchObject({ completed: 195, failed: 0 });
});

test("when a replica crashes, requests without a token go elsewhere and the rest fail; it comes back cold", () => {
  const crash = { kind: "crash", atMs: 7000, id: "r1" } as const;
  const forGood = simulateFleet(options({ policy: policyOf("round-robin"), events: [crash] }));
  expect(forGood.report.completed + forGood.report.failed).toBe(195);
  expect(forGood.report.completed).toBeGreaterThan(180);
  const withReturn = simulateFleet(
    options({
      policy: policyOf("round-robin"),
      events: [crash, { kind: "restart", atMs: 12_000, id: "r1" }],
    }),
  );
  expect(withReturn.busyShares[0] ?? 0).toBeGreaterThan(forGood.busyShares[0] ?? 1);
});

test("a joining replica takes part of the load; an event for an unknown replica is refused by name", () => {
  const [joining] = members(1);
  if (joining === undefined) throw new Error("no member");
  const joined = simulateFleet(
    options({
      policy: policyOf("round-robin"),
      events: [{ kind: "join", atMs: 6000, member: { ...joining, id: "late" } }],
    }),
  );
  expect(joined.busyShares).toHaveLength(5);
  expect(joined.busyShares[4] ?? 0).toBeGreaterThan(0.05);
  expect(() =>
    simulateFleet(options({ events: [{ kind: "slowdown", atMs: 0, id: "nope", factor: 2 }] })),
  ).toThrow(/nope/);
});

test("a rolling update loses no request and serves with the new version", () => {
  const events = members(4).map(({ id }, index) => {
    return { kind: "update", atMs: 2000 + 6000 * index, id, version: "2", downMs: 3000 } as const;
  });
  for (const strategy of ["predicted-cost", "round-robin"]) {
    const result = simulateFleet(options({ policy: policyOf(strategy), events }));
    expect(result.report).toMatchObject({ completed: 195, failed: 0, rejected: 0 });
  }
});

test("a closed-loop session waits for its answer, its pause and its parallel branches, and ends when told", () => {
  const [request] = conversations();
  if (request === undefined) throw new Error("no request");
  const step = (thinkMs: number) => ({ kind: "request", thinkMs, request }) as const;
  const session = {
    startAtMs: 0,
    steps: [
      step(0),
      { kind: "parallel", branches: [[step(10)], [step(500), step(10)]] } as const,
      step(1000),
    ],
  };
  const workload = { requests: [], sessions: [session], sessionsEndAtMs: null };
  const { served } = simulateFleet(options({ workload }));
  expect(served).toHaveLength(5);
  const times = served.map(({ atMs }) => atMs).toSorted((a, b) => a - b);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(100);
  expect((times[4] ?? 0) - (times[3] ?? 0)).toBeGreaterThan(1000);
  const cut = simulateFleet(options({ workload: { ...workload, sessionsEndAtMs: (times[3] ?? 0) + 1 } }));
  expect(cut.served).toHaveLength(4);
});
