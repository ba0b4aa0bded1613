import { expect, test } from "vitest";
import { lengthTable, serveGenClient, serveGenTrace } from "./servegen.ts";

const lengths = JSON.stringify({ "0": { input_tokens: "{100: 0.5, 300: 0.5}", output_tokens: "{7: 1.0}" } });
const busy = serveGenClient("chunk-0", "0,3,1,Gamma,1,1\n600,0,0,,0,0\n", lengths);
const quiet = serveGenClient("chunk-1", "0,1,3,Weibull,1,1\n600,0,0,,0,0\n", lengths);

test("clients keep their share of the load, lengths follow their distribution", () => {
  const trace = (clients: (typeof busy)[]) =>
    serveGenTrace({ clients, fromS: 0, durationMs: 600_000, ratePerSecond: 8, seed: 1 });
  const both = trace([busy, quiet]);
  expect(both.length / 600).toBeCloseTo(8, -0.5);
  expect(new Set(both.map(({ promptTokens }) => promptTokens))).toEqual(new Set([100, 300]));
  expect(both.every(({ outputTokens }) => outputTokens === 7)).toBe(true);
  expect(both.every(({ atMs }, index) => index === 0 || atMs >= (both[index - 1]?.atMs ?? 0))).toBe(true);
});

test("a silent window sends nothing", () => {
  expect(
    serveGenTrace({ clients: [busy], fromS: 700, durationMs: 60_000, ratePerSecond: 5, seed: 1 }),
  ).toEqual([]);
});

test("wrong files are refused by name", () => {
  expect(() => serveGenClient("chunk-3", "0,many,1", lengths)).toThrow(/chunk-3-trace\.csv, line 1/);
  expect(() => serveGenClient("chunk-3", "0,1,1", '{"0":{"input_tokens":1}}')).toThrow(
    /chunk-3-dataset\.json/,
  );
  expect(lengthTable("{}")).toBeNull();
});
