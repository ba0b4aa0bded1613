import { expect, test } from "vitest";
import type { CellMeasurement, SaturatedFigures } from "./measure-target.ts";
import type { Cell } from "./measurement-plan.ts";
import { proxyOptions } from "./proxy-options.ts";
import { type ProxyReport, proxyReport } from "./proxy-report.ts";
import { proxyTables } from "./proxy-tables.ts";

const cell: Cell = {
  replicas: 10,
  bodyKb: 1,
  mode: "json",
  offeredRps: 500,
  openLoopSeconds: 1,
  saturates: true,
};

function round(
  target: string,
  latencyMs: number,
  saturated: Partial<SaturatedFigures> = {},
): CellMeasurement {
  const all = { p50: latencyMs, p95: latencyMs * 2, p99: latencyMs * 3 };
  const cpu = { cpuUsPerRequest: 40, cpuUsPerChunk: null, databaseCpuUsPerRequest: null };
  return {
    target,
    cell,
    saturated: { ...cpu, rps: 20_000, failed: 0, coreShare: 0.8, ...saturated },
    openLoop: {
      ...cpu,
      requests: 100,
      failed: 0,
      failures: {},
      latencyMs: all,
      firstByteMs: all,
      eventMs: null,
      allRequests: 120,
      allEvents: 0,
      lateMs: all,
    },
  };
}

function report(cells: readonly CellMeasurement[]): ProxyReport {
  const options = proxyOptions(["--targets", "haproxy,evenkeel:predicted-cost"]);
  if (options === "help") throw new Error("options expected");
  const machine = { processor: "p", cores: 2, memoryGiB: 8, kernel: "linux 6", node: "v24", loadBefore: 0 };
  const figures = {
    cells,
    idleStreams: [],
    skipped: [{ target: "nginx", reason: "not installed" }],
    rounds: 3,
  };
  return proxyReport({ figures, options, machine, seconds: 90 });
}

test("latency is added over the same round without a proxy, and rounds give medians", () => {
  const { results } = report([
    round("direct", 1),
    round("direct", 5),
    round("direct", 1),
    round("haproxy", 1.5, { rps: 10 }),
    round("haproxy", 5.25, { rps: 30 }),
    round("haproxy", 9, { rps: 20 }),
  ]);
  const haproxy = results.find(({ target }) => target === "haproxy");
  expect(haproxy?.addedMs.p50).toBe(0.5);
  expect(haproxy?.rps).toBe(20);
  expect(haproxy?.rpsRange).toEqual([10, 30]);
});

test("requests per core come from processor time, not from a load that may have been the limit", () => {
  const [only] = report([round("direct", 1), round("haproxy", 2, { cpuUsPerRequest: 20 })]).results.slice(1);
  expect(only?.rpsPerCore).toBe(50_000);
});

test("a bar is met below its limit only, and never by a target that lost requests", () => {
  const met = report([round("direct", 1), round("evenkeel:predicted-cost", 1.9)]).bars;
  expect(met.map(({ isMet }) => isMet)).toEqual([true, true]);
  const missed = report([round("direct", 1), round("evenkeel:predicted-cost", 2)]).bars;
  expect(missed.map(({ isMet }) => isMet)).toEqual([false, true]);
  const losing = round("evenkeel:predicted-cost", 1.1);
  const lost = report([round("direct", 1), { ...losing, openLoop: { ...losing.openLoop, failed: 1 } }]).bars;
  expect(lost.some(({ isMet }) => isMet)).toBe(false);
});

test("the tables name what was left out and mark what the load bounded", () => {
  const only4 = (each: CellMeasurement): CellMeasurement => ({ ...each, cell: { ...cell, bodyKb: 4 } });
  const text = proxyTables(report([only4(round("direct", 1)), only4(round("haproxy", 2))]));
  expect(text).toContain("nginx** was left out: not installed");
  expect(text).toContain("20,000†");
});

test("a target that does not exist is refused by name", () => {
  expect(() => proxyOptions(["--targets", "haproxy,squid"])).toThrow(/squid/);
});
