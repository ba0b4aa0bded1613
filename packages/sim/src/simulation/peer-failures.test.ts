/** Situations that break balancers in the field, played through the production decision. */
import { compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { seededRng } from "@evenkeel/scheduler/rng";
import { expect, test } from "vitest";
import { presetNamed } from "../replica-presets.ts";
import type { ServedRequest } from "../serving-report.ts";
import { powerUserSessions } from "../traces/generated.ts";
import type { TraceRequest } from "../traces/trace-request.ts";
import { simulateFleet } from "./fleet-simulation.ts";
import type { FleetMember, SimulationOptions } from "./simulation-options.ts";
import { openLoop } from "./workload.ts";

const compiled = compilePolicy(
  { version: 1, models: [{ name: "*", strategy: { type: "predicted-cost" } }] },
  1,
);
const DWELL_MS = 5000;

function member(number: number): FleetMember {
  return { id: `r${number}`, parameters: presetNamed("llama-8b-h100") };
}

function run(options: Pick<SimulationOptions, "workload" | "members"> & Partial<SimulationOptions>) {
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return simulateFleet({ model: "test/model", policy: compiled.policy, seed: 1, ...options });
}

/** Distinct prompts: nothing is shared. */
function coldRequest(number: number, atMs: number, promptTokens: number): TraceRequest {
  const blockIds = Array.from(
    { length: Math.ceil(promptTokens / 64) },
    (_, block) => 10_000 * (number + 1) + block,
  );
  return {
    atMs,
    promptTokens,
    outputTokens: 120,
    blockIds,
    blockTokens: 64,
    sessionKey: null,
    adapter: null,
  };
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item) ?? "", (counts.get(keyOf(item) ?? "") ?? 0) + 1);
  return counts;
}

const p90 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(0.9 * values.length)] ?? 0;
const ttftOf = (served: readonly ServedRequest[]): number[] =>
  served.map(({ ttftMs }) => ttftMs ?? Number.NaN);

test("a burst between two scrapes spreads over the fleet instead of herding onto the replica that looked idle", () => {
  const requests = Array.from({ length: 64 }, (_, index) => coldRequest(index, 1000 + index * 0.1, 2000));
  const { served } = run({
    workload: openLoop(requests, 1),
    members: [1, 2, 3, 4, 5, 6, 7, 8].map(member),
    delays: { toEngineMs: 8, observationMs: 0, scrapeIntervalMs: 5000, scrapeDelayMs: 50 },
  });
  const counts = [...countBy(served, ({ replica }) => replica).values()];
  expect(counts).toHaveLength(8);
  expect(Math.max(...counts)).toBeLessThanOrEqual(10);
});

test("a replica that owns every heavy session is relieved, and no session moves twice within the dwell time", () => {
  const sessions = powerUserSessions({
    users: 24,
    turns: 40,
    startTokens: [24_000, 30_000],
    turnTokens: 300,
    outputTokens: 150,
    thinkMs: 3000,
    seed: 3,
  });
  const joinAtMs = 60_000;
  const { served } = run({
    workload: { requests: [], sessions, sessionsEndAtMs: 180_000 },
    members: [member(1)],
    events: [2, 3, 4].map((number) => ({ kind: "join", atMs: joinAtMs, member: member(number) })),
  });
  const late = served.filter(({ atMs }) => atMs > 120_000);
  const shares = countBy(late, ({ replica }) => replica);
  expect(shares.size).toBe(4);
  expect(shares.get("r1") ?? 0).toBeLessThan(0.6 * late.length);
  const before = served.filter(({ atMs }) => atMs > 30_000 && atMs < joinAtMs);
  expect(p90(ttftOf(late))).toBeLessThan(p90(ttftOf(before)));

  const bySession = Map.groupBy(
    served.toSorted((a, b) => a.atMs - b.atMs),
    ({ sessionKey }) => sessionKey,
  );
  let flips = 0;
  for (const turns of bySession.values()) {
    let movedAtMs = Number.NEGATIVE_INFINITY;
    for (const [index, turn] of turns.entries()) {
      const previous = turns[index - 1];
      if (previous === undefined || previous.replica === turn.replica) continue;
      if (turn.atMs - movedAtMs < DWELL_MS) flips += 1;
      movedAtMs = turn.atMs;
    }
  }
  expect(flips).toBe(0);
});

test("a new, cold replica takes its share without being flooded, and nobody waits longer for it", () => {
  const rng = seededRng(5);
  const shared = Array.from({ length: 90 }, (_, block) => block);
  const requests = Array.from({ length: 2600 }, (_, index): TraceRequest => {
    const group = Math.floor(rng() * 40);
    const own = coldRequest(index, index * 30, 1200);
    const blockIds = [...shared.map((block) => -1 - 1000 * group - block), ...Array.from(own.blockIds)];
    return { ...own, promptTokens: 64 * 90 + 1200, blockIds };
  });
  const joinAtMs = 30_000;
  const { served, report } = run({
    workload: openLoop(requests, 1),
    members: [1, 2, 3].map(member),
    events: [{ kind: "join", atMs: joinAtMs, member: member(4) }],
  });
  const within = (fromMs: number, toMs: number): ServedRequest[] =>
    served.filter(({ atMs }) => atMs >= joinAtMs + fromMs && atMs < joinAtMs + toMs);
  const newcomerShare = (list: readonly ServedRequest[]): number =>
    list.filter(({ replica }) => replica === "r4").length / list.length;
  expect(newcomerShare(within(0, 2000))).toBeLessThan(0.5);
  expect(newcomerShare(within(20_000, 45_000))).toBeGreaterThan(0.1);
  expect(p90(ttftOf(within(0, 5000)))).toBeLessThanOrEqual(2 * p90(ttftOf(within(-15_000, 0))));
  expect(report.goodput).toBeGreaterThan(0.99);
});
