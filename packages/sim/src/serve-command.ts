import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { numberFlag } from "./number-flag.ts";
import { isPresetName, REPLICA_PRESETS } from "./replica-presets.ts";
import { startSimFleet } from "./sim-fleet.ts";

const HELP = `npm run sim -- serve [options]

  --replicas N        how many (default 8)
  --preset NAME       ${Object.keys(REPLICA_PRESETS).join(", ")}
  --model NAME        model name served (default: the preset's)
  --host ADDRESS      default 127.0.0.1
  --port N            first port; 0 (default) picks free ones
  --speed X           virtual seconds per second (default 1)
  --seed N            default 1
  --metrics old       metric names of vLLM before 0.9.2
  --adapters a,b      LoRA adapters loaded from the start
  --fleet-out FILE    write a fleet file that names the replicas

Each replica answers POST /sim/faults, for instance {"kind":"slow","factor":2} or {"kind":"clear"}.
`;

/** `sim serve`: runs replicas until SIGINT or SIGTERM. */
export async function serveCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      replicas: { type: "string", default: "8" },
      preset: { type: "string", default: "llama-8b-h100" },
      model: { type: "string" },
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "0" },
      speed: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      metrics: { type: "string", default: "current" },
      adapters: { type: "string", default: "" },
      "fleet-out": { type: "string" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { preset, metrics } = values;
  if (!isPresetName(preset))
    throw new RangeError(`--preset: "${preset}" is not one of ${Object.keys(REPLICA_PRESETS)}`);
  if (metrics !== "current" && metrics !== "old")
    throw new RangeError(`--metrics: "${metrics}" is not current or old`);
  const fleet = await startSimFleet({
    replicas: numberFlag("--replicas", values.replicas, { min: 1, isInteger: true }),
    preset,
    ...(values.model === undefined ? {} : { model: values.model }),
    host: values.host,
    port: numberFlag("--port", values.port, { min: 0, isInteger: true }),
    speed: numberFlag("--speed", values.speed, { min: 0.001 }),
    seed: numberFlag("--seed", values.seed, { isInteger: true }),
    metricsGeneration: metrics,
    adapters: values.adapters.split(",").filter((name) => name !== ""),
  });
  for (const replica of fleet.replicas)
    process.stdout.write(`${replica.id} ${replica.url} ${replica.model}\n`);
  const out = values["fleet-out"];
  if (out !== undefined) {
    await writeFile(out, stringify({ replicas: fleet.replicas }));
    process.stdout.write(`fleet file: ${out}\n`);
  }
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await fleet.close();
}
