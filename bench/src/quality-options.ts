import { parseArgs } from "node:util";
import { STRATEGY_CATALOG } from "@evenkeel/scheduler/catalog";
import { numberFlag } from "@evenkeel/sim/number-flag";
import { isPresetName, type PresetName, REPLICA_PRESETS } from "@evenkeel/sim/replica-presets";
import { BOUND_NAMES, isBoundName } from "@evenkeel/sim/simulation/bound";
import { isScenarioName, SCENARIO_NAMES, type ScenarioName } from "./scenario.ts";

export const TRACE_FORMATS = [
  "mooncake",
  "azure",
  "agentic",
  "qwen-bailian",
  "burstgpt",
  "servegen",
  "shared-prefixes",
  "tool-agent",
  "power-users",
] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/** Which part of a trace's time is used: parameters are chosen on the first half and reported on the second. */
export const TRACE_HALVES = ["choosing", "reporting", "whole"] as const;
export type TraceHalf = (typeof TRACE_HALVES)[number];

export interface QualityOptions {
  /** Null for generated workloads. */
  readonly trace: string | null;
  readonly format: TraceFormat;
  readonly replicas: number;
  readonly preset: PresetName;
  readonly strategies: readonly StrategyChoice[];
  /** Multiples of the best knee at which the table is made. */
  readonly loads: readonly number[];
  readonly seeds: number;
  readonly half: TraceHalf;
  readonly scenario: ScenarioName;
  readonly raw: boolean;
  readonly routers: number;
  readonly scrapeIntervalMs: number | null;
  readonly observationMs: number;
  readonly json: string | null;
  readonly out: string | null;
}

/** A strategy with parameters: `predicted-cost` or `predicted-cost:holding=false`. */
export interface StrategyChoice {
  readonly name: string;
  readonly type: string;
  readonly params: Readonly<Record<string, string | number | boolean>>;
}

export const QUALITY_HELP = `npm run bench:quality -- [options]

Runs strategies against a workload in virtual time, finds each one's knee (the highest rate with a goodput of at
least 99 %), and compares them at multiples of the best knee.

  --trace FILE         a trace file; not needed for generated workloads
  --format NAME        ${TRACE_FORMATS.join(", ")} (default mooncake)
  --replicas N         default 8
  --preset NAME        ${Object.keys(REPLICA_PRESETS).join(", ")}
  --strategies a,b     default predicted-cost,least-request,round-robin; parameters after a colon:
                       predicted-cost:holding=false. Bounds that see inside the engines:
                       ${BOUND_NAMES.join(", ")}
  --loads 0.7,0.9,1    multiples of the best knee (default 0.7,0.9,1)
  --seeds N            default 3
  --half NAME          choosing (first half of the trace's time), reporting (second, default), whole
  --scenario NAME      ${SCENARIO_NAMES.join(", ")}
  --routers N          default 1
  --raw                request times as in the file: bursts on 3 s ticks
  --scrape-ms N        milliseconds between metric scrapes (default 1000); 0 for none
  --observe-ms N       delay of first-token, token and end events (default 0)
  --json OUT           write all figures
  --out FILE           write the tables and plots into a Markdown file's section
`;

/** Reads the command line. @throws RangeError that names the flag */
export function qualityOptions(args: readonly string[]): QualityOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      trace: { type: "string" },
      format: { type: "string", default: "mooncake" },
      replicas: { type: "string", default: "8" },
      preset: { type: "string", default: "llama-8b-h100" },
      strategies: { type: "string", default: "predicted-cost,least-request,round-robin" },
      loads: { type: "string", default: "0.7,0.9,1" },
      seeds: { type: "string", default: "3" },
      half: { type: "string", default: "reporting" },
      scenario: { type: "string", default: "equal" },
      routers: { type: "string", default: "1" },
      raw: { type: "boolean", default: false },
      "scrape-ms": { type: "string", default: "1000" },
      "observe-ms": { type: "string", default: "0" },
      json: { type: "string" },
      out: { type: "string" },
    },
  });
  if (values.help) return "help";
  const format = oneOf("--format", values.format, TRACE_FORMATS);
  const needsFile = !["shared-prefixes", "tool-agent", "power-users"].includes(format);
  if (needsFile && values.trace === undefined)
    throw new RangeError(`--trace is required for --format ${format}`);
  if (!isPresetName(values.preset)) {
    throw new RangeError(
      `--preset: "${values.preset}" is not one of ${Object.keys(REPLICA_PRESETS).join(", ")}`,
    );
  }
  if (!isScenarioName(values.scenario)) {
    throw new RangeError(`--scenario: "${values.scenario}" is not one of ${SCENARIO_NAMES.join(", ")}`);
  }
  const scrapeMs = numberFlag("--scrape-ms", values["scrape-ms"], { min: 0 });
  return {
    trace: needsFile ? (values.trace ?? null) : null,
    format,
    replicas: numberFlag("--replicas", values.replicas, { min: 1, isInteger: true }),
    preset: values.preset,
    strategies: values.strategies.split(",").map(strategyChoice),
    loads: values.loads.split(",").map((load) => numberFlag("--loads", load, { min: 0.01 })),
    seeds: numberFlag("--seeds", values.seeds, { min: 1, isInteger: true }),
    half: oneOf("--half", values.half, TRACE_HALVES),
    scenario: values.scenario,
    raw: values.raw,
    routers: numberFlag("--routers", values.routers, { min: 1, isInteger: true }),
    scrapeIntervalMs: scrapeMs === 0 ? null : scrapeMs,
    observationMs: numberFlag("--observe-ms", values["observe-ms"], { min: 0 }),
    json: values.json ?? null,
    out: values.out ?? null,
  };
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new RangeError(`${flag}: "${value}" is not one of ${allowed.join(", ")}`);
  return found;
}

/** @throws RangeError that names the strategies there are */
export function strategyChoice(text: string): StrategyChoice {
  const [type = "", ...assignments] = text.split(":");
  if (isBoundName(text)) return { name: text, type: text, params: {} };
  if (!STRATEGY_CATALOG.some((row) => row.type === type)) {
    const known = [...STRATEGY_CATALOG.map((row) => row.type), ...BOUND_NAMES].join(", ");
    throw new RangeError(`--strategies: "${type}" is not one of ${known}`);
  }
  const params: Record<string, string | number | boolean> = {};
  for (const assignment of assignments) {
    const [key = "", value = ""] = assignment.split("=", 2);
    params[key] =
      value === "true"
        ? true
        : value === "false"
          ? false
          : Number.isFinite(Number(value))
            ? Number(value)
            : value;
  }
  return { name: text, type, params };
}
