/** `npm run replay`: a trace over HTTP through the real router, once per strategy. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename } from "node:path";
import { readMooncakeTrace, spreadTicks } from "@evenkeel/sim/traces/mooncake";
import { type TraceRequest, traceWindow } from "@evenkeel/sim/traces/trace-request";
import { terminalProgress } from "./progress.ts";
import { REPLAY_HELP, type ReplayOptions, replayOptions } from "./replay-options.ts";
import { replayStrategy } from "./replay-strategy.ts";
import { type ReplayResult, replayTable, withReplaySection } from "./replay-table.ts";
import { StackError } from "./stack-error.ts";

const progress = terminalProgress();
const aborted = new AbortController();
process.once("SIGINT", () => aborted.abort());
process.once("SIGTERM", () => aborted.abort());

try {
  const options = replayOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(REPLAY_HELP);
  else await replay(options);
} catch (error) {
  if (!(error instanceof StackError) && !(error instanceof Error && "code" in error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function replay(options: ReplayOptions): Promise<void> {
  const whole = await readMooncakeTrace(options.trace);
  const spread = options.raw ? whole : spreadTicks(whole, options.seed);
  const requests = traceWindow(spread, options.fromS * 1000, (options.fromS + options.seconds) * 1000);
  if (requests.length === 0) {
    throw new StackError(
      "configuration",
      `--from ${options.fromS} --seconds ${options.seconds}: the trace has no request there`,
    );
  }
  progress.step(described(requests, options));

  const results: ReplayResult[] = [];
  for (const strategy of options.strategies) {
    let toldAt = 0;
    const report = await replayStrategy(strategy, requests, options, aborted.signal, (sent, finished) => {
      if (performance.now() - toldAt < 10_000) return;
      toldAt = performance.now();
      progress.step(`${strategy}: ${sent} of ${requests.length} sent, ${finished} finished`);
    });
    if (aborted.signal.aborted) {
      progress.warn("stopped before the end: no table");
      return;
    }
    for (const [cause, count] of Object.entries(report.errors))
      progress.warn(`${strategy}: ${count} × ${cause}`);
    progress.step(
      `${strategy}: done; requests left at most ${Math.round(report.sendDelayP99Ms ?? 0)} ms late (p99)`,
    );
    results.push({ strategy, report });
  }
  const table = replayTable(results);
  process.stdout.write(`\n${table}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ options, results }, null, 2)}\n`);
  if (options.out) {
    const document = existsSync(options.out) ? readFileSync(options.out, "utf8") : "# Routing quality\n";
    writeFileSync(options.out, withReplaySection(document, section(table, requests, options)));
    progress.step(`written into ${options.out}`);
  }
}

function described(
  requests: readonly TraceRequest[],
  { trace, replicas, preset, speed, seconds }: ReplayOptions,
): string {
  const rate = ((requests.length / seconds) * speed).toFixed(2);
  return `${requests.length} requests of ${basename(trace)} at ${rate} per second on ${replicas} × ${preset}`;
}

function section(table: string, requests: readonly TraceRequest[], options: ReplayOptions): string {
  const machine = `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${cpus().length} cores, Node ${process.versions.node}`;
  return `${described(requests, options)}; seconds ${options.fromS} to ${options.fromS + options.seconds} of the trace, sped up
${options.speed} times, seed ${options.seed}${options.raw ? ", times as in the file" : ", arrivals spread over the 3 s they were rounded to"}; the first tenth fills the caches and is not counted. Over
HTTP through the router, on ${machine}.

${table}
`;
}
