import { expect, test } from "vitest";
import { lineChart } from "./line-chart.ts";
import { qualityOptions, strategyChoice } from "./quality-options.ts";
import { qualityPlots, qualitySection, withSection } from "./quality-report.ts";
import { QualityRun } from "./quality-run.ts";
import type { WorkloadSource } from "./workload-source.ts";
import { workloadSource } from "./workload-source.ts";

function optionsOf(...args: string[]) {
  const options = qualityOptions(args);
  if (options === "help") throw new Error("asked for help");
  return options;
}

test("wrong flags are refused by their name", () => {
  expect(() => optionsOf("--format", "mooncake")).toThrow(/--trace is required/);
  expect(() => optionsOf("--format", "csv")).toThrow(/--format: "csv"/);
  expect(() => optionsOf("--format", "tool-agent", "--strategies", "best")).toThrow(
    /--strategies: "best".*predicted-cost/,
  );
  expect(() => optionsOf("--format", "tool-agent", "--seeds", "0")).toThrow(/--seeds: 0 is below 1/);
  expect(() => optionsOf("--format", "tool-agent", "--scenario", "flood")).toThrow(/--scenario: "flood"/);
});

test("a strategy's parameters follow its name", () => {
  expect(strategyChoice("predicted-cost:holding=false")).toEqual({
    name: "predicted-cost:holding=false",
    type: "predicted-cost",
    params: { holding: false },
  });
});

test("a strategy with a parameter that does not exist is refused with the policy's message", async () => {
  const options = optionsOf("--format", "shared-prefixes", "--strategies", "predicted-cost:nonsense=1");
  const source = await workloadSource(options);
  expect(() => new QualityRun(source, options)).toThrow(/predicted-cost:nonsense=1.*strategy/);
});

test("one workload is measured from knee to report", () => {
  const options = optionsOf(
    "--format",
    "shared-prefixes",
    "--replicas",
    "2",
    "--seeds",
    "1",
    "--strategies",
    "least-request",
  );
  const source: WorkloadSource = {
    name: "tiny",
    unit: "requests/s",
    hasPrefixes: false,
    firstLoad: () => 4,
    durationMs: () => 10_000,
    build: (load) => ({
      requests: Array.from({ length: Math.round(10 * load) }, (_, index) => ({
        atMs: (index * 1000) / load,
        promptTokens: 4000,
        outputTokens: 20,
        blockIds: [],
        blockTokens: 64,
        sessionKey: null,
        adapter: null,
      })),
      sessions: [],
      sessionsEndAtMs: null,
    }),
  };
  const run = new QualityRun(source, options);
  const knee = run.knee("least-request", 1);
  if (knee === null) throw new Error("no knee");
  expect(knee.kneeRps).toBeGreaterThan(4);
  const light = run.result("least-request", 0.5 * knee.kneeLoad, 0.5, 1);
  const heavy = run.result("least-request", 3 * knee.kneeLoad, 3, 1);
  expect(light).toMatchObject({ goodput: 1, rejects: 0, failed: 0 });
  expect(heavy.goodput).toBeLessThan(0.99);
  const section = qualitySection({
    options: { ...options, loads: [0.5] },
    source,
    knees: [knee],
    results: [light],
    hitCeiling: run.hitCeiling(light.load),
    seconds: 1,
  });
  expect(section).toContain(`| least-request | ${knee.kneeRps.toFixed(2)} |`);
  expect(section).toContain("At 0.5 × the best knee");
  expect(qualityPlots([knee], source, options)).toContain("</svg>");
});

test("a section is replaced in place and the rest of the document stays", () => {
  const one = withSection("# Title\n\nText.\n", "a", "first");
  const two = withSection(one, "b", "other");
  const three = withSection(two, "a", "second");
  expect(three).toBe(two.replace("first", "second"));
  expect(three).toContain("Text.");
});

test("a chart escapes what it prints and survives having no points", () => {
  const chart = lineChart({ title: "a < b & c", xLabel: "x", yLabel: "y", yRange: [0, 1], lines: [] });
  expect(chart).toContain("a &lt; b &amp; c");
  expect(chart).not.toContain("NaN");
});

test("generated workloads differ between the choosing and the reporting half, and repeat by seed", async () => {
  const build = async (half: string, seed: number): Promise<unknown> =>
    (await workloadSource(optionsOf("--format", "shared-prefixes", "--half", half))).build(2, seed);
  expect(await build("choosing", 1)).toEqual(await build("choosing", 1));
  expect(await build("choosing", 1)).not.toEqual(await build("reporting", 1));
  expect(await build("reporting", 1)).not.toEqual(await build("reporting", 2));
});
