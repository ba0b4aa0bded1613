import { parseArgs } from "node:util";
import { isPresetName, type PresetName, REPLICA_PRESETS } from "@evenkeel/sim/replica-presets";
import { StackError } from "./stack-error.ts";

export interface ReplayOptions {
  trace: string;
  strategies: readonly string[];
  replicas: number;
  preset: PresetName;
  /** Trace time runs this many times faster. */
  speed: number;
  /** Window of the trace that is sent, in trace time. */
  fromS: number;
  seconds: number;
  seed: number;
  /** Keep the trace's times as rounded in the file. */
  raw: boolean;
  /** Markdown file whose replay section is replaced. */
  out: string | null;
  json: string | null;
}

export const REPLAY_HELP = `npm run replay -- --trace FILE [options]

Sends a trace over HTTP through the real router to simulated replicas, once per strategy, and prints what clients saw.

  --trace FILE        Mooncake trace, .jsonl or .jsonl.gz
  --strategies a,b    default predicted-cost,round-robin,least-request
  --replicas N        default 8
  --preset NAME       ${Object.keys(REPLICA_PRESETS).join(", ")}
                      default llama-8b-h100
  --speed X           trace time runs X times faster (default 1); engines are not sped up
  --from S            start of the window, in seconds of the trace (default 0)
  --seconds S         length of the window, in seconds of the trace (default 300)
  --seed N            default 1
  --raw               keep the times of the file; default: spread requests over the 3 s they were rounded to
  --out FILE          replace the section between the replay marks of a Markdown file
  --json FILE         write the figures as JSON
`;

/** @throws StackError configuration, naming the option */
export function replayOptions(args: readonly string[]): ReplayOptions | "help" {
  let values: Record<string, string | boolean | undefined>;
  try {
    values = parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean" },
        raw: { type: "boolean", default: false },
        trace: { type: "string" },
        strategies: { type: "string", default: "predicted-cost,round-robin,least-request" },
        replicas: { type: "string", default: "8" },
        preset: { type: "string", default: "llama-8b-h100" },
        speed: { type: "string", default: "1" },
        from: { type: "string", default: "0" },
        seconds: { type: "string", default: "300" },
        seed: { type: "string", default: "1" },
        out: { type: "string" },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new StackError("configuration", error instanceof Error ? error.message : String(error));
  }
  if (values.help) return "help";
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : null);
  const number = (name: string, least: number) => {
    const value = Number(text(name));
    if (Number.isFinite(value) && value >= least) return value;
    throw new StackError("configuration", `--${name} ${text(name)}: must be a number of at least ${least}`);
  };
  const trace = text("trace");
  if (trace === null) throw new StackError("configuration", "--trace is required: the trace file to send");
  const preset = text("preset") ?? "";
  if (!isPresetName(preset)) {
    throw new StackError(
      "configuration",
      `--preset ${preset}: there are ${Object.keys(REPLICA_PRESETS).join(", ")}`,
    );
  }
  return {
    trace,
    strategies: (text("strategies") ?? "").split(",").filter((name) => name !== ""),
    replicas: Math.trunc(number("replicas", 1)),
    preset,
    speed: number("speed", 0.01),
    fromS: number("from", 0),
    seconds: number("seconds", 1),
    seed: Math.trunc(number("seed", 0)),
    raw: values.raw === true,
    out: text("out"),
    json: text("json"),
  };
}
