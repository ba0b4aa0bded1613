import { parseArgs } from "node:util";
import { startLoad } from "./load-generator.ts";
import { isLoadProfileName, LOAD_PROFILES } from "./load-profile.ts";
import type { LoadStatistics, Percentiles } from "./load-statistics.ts";
import { numberFlag } from "./number-flag.ts";

const HELP = `npm run sim -- load --url URL [options]

  --url URL           base URL of an OpenAI-compatible server, without /v1
  --model NAME        default meta-llama/Llama-3.1-8B-Instruct
  --rate X            requests per second (default 4)
  --profile NAME      ${Object.keys(LOAD_PROFILES).join(", ")}
  --seed N            default 1
  --duration S        stop after so many seconds (default: until SIGINT)
  --concurrency N     most requests in flight (default 512)
`;

/** `sim load`: sends traffic and prints what its clients see every 5 s. */
export async function loadCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      url: { type: "string" },
      model: { type: "string", default: "meta-llama/Llama-3.1-8B-Instruct" },
      rate: { type: "string", default: "4" },
      profile: { type: "string", default: "chat" },
      seed: { type: "string", default: "1" },
      duration: { type: "string" },
      concurrency: { type: "string", default: "512" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { url, profile } = values;
  if (url === undefined) throw new RangeError("--url is required: the base URL of the server, without /v1");
  if (!isLoadProfileName(profile)) throw new RangeError(`--profile: there are ${Object.keys(LOAD_PROFILES)}`);
  const load = startLoad({
    url: url.replace(/\/+$/, ""),
    model: values.model,
    rate: numberFlag("--rate", values.rate, { min: 0.001 }),
    profile,
    seed: numberFlag("--seed", values.seed, { isInteger: true }),
    maxConcurrency: numberFlag("--concurrency", values.concurrency, { min: 1, isInteger: true }),
  });
  const report = setInterval(() => process.stdout.write(`${describeLoad(load.statistics)}\n`), 5000);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
    if (values.duration === undefined) return;
    setTimeout(resolve, 1000 * numberFlag("--duration", values.duration, { min: 0 }));
  });
  clearInterval(report);
  await load.stop();
  process.stdout.write(`${describeLoad(load.statistics)}\n`);
}

/** One line for a terminal. */
export function describeLoad(statistics: LoadStatistics): string {
  const latency = (values: Percentiles | null): string =>
    values === null
      ? "none yet"
      : `${[values.p50, values.p90, values.p99].map((ms) => ms.toFixed(0)).join(" / ")} ms`;
  const hitRate =
    statistics.promptTokens === 0
      ? "unknown"
      : `${((100 * statistics.cachedTokens) / statistics.promptTokens).toFixed(1)} %`;
  const errors = Object.entries(statistics.errors).map(([cause, count]) => `${cause}: ${count}`);
  return (
    `sent ${statistics.sent}, open ${statistics.inFlight}, completed ${statistics.completed}, ` +
    `failed ${statistics.failed}, hung up ${statistics.aborted}, skipped ${statistics.skipped} | ` +
    `TTFT p50/p90/p99 ${latency(statistics.ttftMs)} | ITL ${latency(statistics.itlMs)} | ` +
    `cached tokens ${hitRate}${errors.length === 0 ? "" : ` | ${errors.join(", ")}`}`
  );
}
