import { afterEach, beforeEach, expect, test } from "vitest";
import { replayOverHttp } from "./http-replay.ts";
import { type SimFleet, startSimFleet } from "./sim-fleet.ts";
import type { TraceRequest } from "./traces/trace-request.ts";

let fleet: SimFleet;

beforeEach(async () => {
  fleet = await startSimFleet({ replicas: 1, speed: 50, model: "test/model" });
});

afterEach(async () => {
  await fleet.close();
});

function requests(count: number): TraceRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    atMs: index * 40,
    promptTokens: 1000,
    outputTokens: 5,
    blockIds: [0, 7 + (index % 2)],
    blockTokens: 512,
    sessionKey: `s${index}`,
    adapter: null,
  }));
}

const target = (): { baseUrl: string; model: string } => ({
  baseUrl: fleet.replicas[0]?.url ?? "",
  model: "test/model",
});

test("a trace is sent whole, and equal block ids hit the cache as equal prompts", async () => {
  const progress: number[] = [];
  const report = await replayOverHttp({
    ...target(),
    requests: requests(10),
    speed: 2,
    seed: 1,
    warmUpShare: 0,
    onProgress: ({ finished }) => progress.push(finished),
    sampleLoads: () => [fleet.state("r1").running],
  });
  expect(report).toMatchObject({
    requests: 10,
    completed: 10,
    rejected: 0,
    failed: 0,
    errors: {},
    goodput: 1,
  });
  // Two distinct prompts: all but the two first requests find nearly everything.
  expect(report.hitRate ?? 0).toBeGreaterThan(0.7);
  expect(progress.at(-1)).toBe(10);
});

test("requests refused for load are counted as rejected and miss the goodput", async () => {
  await fleet.fault("r1", { kind: "overload" });
  const report = await replayOverHttp({
    ...target(),
    requests: requests(4),
    speed: 4,
    seed: 1,
    warmUpShare: 0,
  });
  expect(report).toMatchObject({
    requests: 4,
    rejected: 4,
    failed: 0,
    goodput: 0,
    ttftMs: null,
    hitRate: null,
  });
  expect(report.errors).toEqual({ "HTTP 503": 4 });
});

test("a broken stream counts as failed, with its cause", async () => {
  await fleet.fault("r1", { kind: "reset", afterTokens: 2 });
  const report = await replayOverHttp({
    ...target(),
    requests: requests(2),
    speed: 4,
    seed: 1,
    warmUpShare: 0,
  });
  expect(report).toMatchObject({ requests: 2, failed: 2, completed: 0 });
  expect(Object.values(report.errors)).toEqual([2]);
});

test("stopping hangs up and reports what is finished", async () => {
  const stop = new AbortController();
  const running = replayOverHttp({
    ...target(),
    requests: requests(1000),
    speed: 1,
    seed: 1,
    signal: stop.signal,
  });
  setTimeout(() => stop.abort(), 100);
  const report = await running;
  expect(report.requests).toBeLessThan(1000);
  expect(report.failed).toBe(0);
});
