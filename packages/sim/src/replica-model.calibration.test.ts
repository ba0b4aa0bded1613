import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ReplicaModel } from "./replica-model.ts";
import { type PresetName, presetNamed } from "./replica-presets.ts";
import { tarEntries } from "./traces/tar-entries.ts";

interface Recorded {
  readonly atMs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly ttftMs: number;
  readonly itlMs: number | null;
}

/** Recorded runs of a real vLLM 0.19, when they are at hand (EVENKEEL_SHARED or ../shared). */
const archive = resolve(
  process.env["EVENKEEL_SHARED"] ?? resolve(import.meta.dirname, "../../../../shared"),
  "traces/calibration/llmservingsim_vllm_runs.tar.gz",
);

function recordedRun(folder: string): Recorded[] {
  const entry = tarEntries(gunzipSync(readFileSync(archive))).find(({ name }) =>
    name.endsWith(`${folder}/vllm/requests.jsonl`),
  );
  const lines = new TextDecoder().decode(entry?.data).trim().split("\n");
  return lines
    .map((line) => {
      // The fields of a recording that this test reads; a wrong shape gives NaN and fails the comparison.
      const row = JSON.parse(line) as Record<string, number>;
      const [arrival = Number.NaN, queued = Number.NaN] = [row["arrival_time"], row["queued_ts"]];
      const [first = Number.NaN, last = Number.NaN] = [row["first_token_ts"], row["last_token_ts"]];
      const outputTokens = row["output_toks"] ?? Number.NaN;
      return {
        atMs: arrival * 1000,
        promptTokens: row["input_toks"] ?? Number.NaN,
        outputTokens,
        ttftMs: (first - queued) * 1000,
        itlMs: outputTokens < 2 ? null : ((last - first) * 1000) / (outputTokens - 1),
      };
    })
    .sort((a, b) => a.atMs - b.atMs);
}

function simulate(preset: PresetName, run: readonly Recorded[]): { ttftMs: number[]; itlMs: number[] } {
  const model = new ReplicaModel(presetNamed(preset));
  const startMs = run[0]?.atMs ?? 0;
  const ttftMs: number[] = [];
  const itlMs: number[] = [];
  let next = 0;
  let nowMs = 0;
  const enqueueUntil = (untilMs: number): void => {
    for (let row = run[next]; row !== undefined && row.atMs - startMs <= untilMs; row = run[next]) {
      const { promptTokens, outputTokens } = row;
      const request = { id: String(next), promptTokens, outputTokens, blockHashes: [], adapter: null };
      model.enqueue(request, row.atMs - startMs);
      next += 1;
    }
  };
  while (next < run.length || model.running + model.queueDepth > 0) {
    enqueueUntil(nowMs);
    const endsAtMs = model.beginStep(nowMs);
    nowMs = endsAtMs ?? (run[next]?.atMs ?? startMs) - startMs;
    enqueueUntil(nowMs);
    for (const sequence of model.endStep()) {
      if (sequence.state !== "finished") continue;
      const { firstTokenAtMs, lastTokenAtMs, enqueuedAtMs, outputTokens } = sequence;
      if (firstTokenAtMs === null || lastTokenAtMs === null) continue;
      ttftMs.push(firstTokenAtMs - enqueuedAtMs);
      if (outputTokens > 1) itlMs.push((lastTokenAtMs - firstTokenAtMs) / (outputTokens - 1));
    }
  }
  return { ttftMs, itlMs };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const p90 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(0.9 * values.length)] ?? 0;

const cases = [
  { folder: "RTXPRO6000/Llama-3.1-8B", preset: "llama-8b-rtxpro6000", tolerance: 0.05 },
  { folder: "RTX4090/Llama-3.1-8B", preset: "llama-8b-rtx4090", tolerance: 0.2 },
] as const;

for (const { folder, preset, tolerance } of cases) {
  test(`${preset} reproduces a recorded vLLM run within ${100 * tolerance} %`, () => {
    if (!existsSync(archive)) {
      // Without the recordings: an uncongested engine has the TTFT and gaps that its coefficients say.
      const { ttftMs, itlMs } = simulate(preset, [
        { atMs: 0, promptTokens: 1024, outputTokens: 101, ttftMs: 0, itlMs: 0 },
      ]);
      const { step } = presetNamed(preset);
      const prefillMs =
        step.overheadMs + (step.usPerToken * 1024) / 1e3 + (step.nsPerAttentionPair * 1024 * 512) / 1e6;
      expect(mean(ttftMs)).toBeCloseTo(prefillMs, 6);
      expect(mean(itlMs)).toBeGreaterThan(step.overheadMs + step.weightReadMs);
      return;
    }
    const run = recordedRun(folder);
    const simulated = simulate(preset, run);
    const recordedTtft = run.map(({ ttftMs }) => ttftMs);
    const recordedItl = run.flatMap(({ itlMs }) => (itlMs === null ? [] : [itlMs]));
    expect(simulated.ttftMs).toHaveLength(run.length);
    for (const [simulatedMs, recordedMs] of [
      [mean(simulated.ttftMs), mean(recordedTtft)],
      [p90(simulated.ttftMs), p90(recordedTtft)],
      [mean(simulated.itlMs), mean(recordedItl)],
    ] as const) {
      expect(Math.abs(simulatedMs / recordedMs - 1)).toBeLessThan(tolerance);
    }
  });
}
