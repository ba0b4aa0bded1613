import type { Mode } from "./measurement-plan.ts";
import type { ProxyReport, ProxyResult } from "./proxy-report.ts";
import type { Quantiles } from "./quantiles.ts";

/** The report as Markdown. */
export function proxyTables(report: ProxyReport): string {
  return [
    conditions(report),
    "### Bars",
    table(
      ["what", "target", "limit", "measured", "met"],
      report.bars.map(({ what, target, limitMs, measuredMs, isMet }) => [
        what,
        target,
        `${limitMs} ms`,
        `${ms(measuredMs)} ms`,
        isMet ? "yes" : "**no**",
      ]),
    ),
    "### Plain answers, 10 replicas: requests per second and core",
    throughputNote,
    throughput(report, "json", 10, [4, 64, 400]),
    "### Plain answers, 10 replicas: added latency",
    "Milliseconds over no proxy, p50 / p95 / p99, at a fixed open-loop rate.",
    latency(report, "json", 10, [1, 4, 64, 400]),
    "### Streams of 100 events as fast as they come, 10 replicas",
    "Streams per second and core, and the processor time of one event in microseconds.",
    throughput(report, "sse-flood", 10, [4, 64, 400]),
    "Time to the first byte over no proxy, milliseconds, p50 / p95 / p99:",
    latency(report, "sse-flood", 10, [4, 64, 400]),
    "### Streams of one event per 20 ms, and idle streams",
    streams(report),
    "### 100 replicas",
    throughput(report, "json", 100, [4]),
    latency(report, "json", 100, [4, 64]),
    "### What ran",
    report.targets.map(({ name, description }) => `- **${name}**: ${description}`).join("\n"),
    ...report.skipped.map(({ target, reason }) => `- **${target}** was left out: ${reason}`),
  ].join("\n\n");
}

const throughputNote =
  "`r/s`: measured with 32 busy connections. `µs`: processor time of one request. `×`: requests per second of core " +
  "time, as a multiple of HAProxy's. A † marks a target that left more than a tenth of its core unused: the load, on " +
  "the other core, was the limit, and only the processor time tells.";

function conditions({ machine, settings }: ProxyReport): string {
  const quick = settings.isQuick ? " **A quick run: not to be quoted.**" : "";
  const busy =
    machine.loadBefore > 0.7
      ? ` **The machine was not idle (load ${machine.loadBefore.toFixed(1)} before the run): ratios between targets are rough, tail latencies say little.**`
      : ` The machine was idle (load ${machine.loadBefore.toFixed(1)} before the run).`;
  return (
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.kernel}, Node ${machine.node}. ` +
    `${settings.rounds} rounds, medians; seed ${settings.seed}; ${settings.minutes} minutes.${busy}${quick}`
  );
}

function throughput(report: ProxyReport, mode: Mode, replicas: number, bodies: readonly number[]): string {
  const isStream = mode !== "json";
  const names = ["r/s", isStream ? "µs/event" : "µs", "× HAProxy"];
  const rows = targetsOf(report).map((target) => [
    target,
    ...bodies.flatMap((bodyKb) => {
      const result = find(report, target, replicas, bodyKb, mode);
      const haproxy = find(report, "haproxy", replicas, bodyKb, mode);
      const share = result?.coreShare ?? 1;
      const cost = isStream ? result?.cpuUsPerChunk : result?.cpuUsPerRequest;
      const failed =
        result !== undefined && result.failedAtFullLoad > 0 ? ` (${result.failedAtFullLoad} failed)` : "";
      return [
        `${whole(result?.rps)}${share < 0.9 ? "†" : ""}${failed}`,
        typeof cost === "number" ? cost.toFixed(isStream ? 1 : 0) : "–",
        ratio(result?.rpsPerCore, haproxy?.rpsPerCore),
      ];
    }),
  ]);
  return table(["target", ...bodies.flatMap((bodyKb) => names.map((name) => `${bodyKb} KiB ${name}`))], rows);
}

function latency(report: ProxyReport, mode: Mode, replicas: number, bodies: readonly number[]): string {
  const first = (bodyKb: number) =>
    report.results.find((each) => each.bodyKb === bodyKb && each.mode === mode);
  const rows = targetsOf(report).map((target) => [
    target,
    ...bodies.map((bodyKb) => {
      const result = find(report, target, replicas, bodyKb, mode);
      if (result === undefined) return "–";
      const lost = result.failedAtOfferedRate > 0 ? ` (${result.failedAtOfferedRate} failed)` : "";
      return three(target === "direct" ? result.latencyMs : result.addedMs) + lost;
    }),
  ]);
  const heads = bodies.map((bodyKb) => `${bodyKb} KiB at ${first(bodyKb)?.offeredRps ?? "–"}/s`);
  return table(["target", ...heads], rows).replace("| direct |", "| direct (whole) |");
}

function streams(report: ProxyReport): string {
  const rows = targetsOf(report).map((target) => {
    const paced = find(report, target, 10, 4, "sse-paced");
    const idle = report.idleStreamBytes.find((each) => each.target === target);
    return [
      target,
      paced?.cpuUsPerChunk?.toFixed(1) ?? "–",
      paced?.addedPerChunkMs ? three(paced.addedPerChunkMs) : "–",
      paced === undefined ? "–" : three(paced.addedMs),
      idle === undefined ? "–" : (idle.bytes / 1_024).toFixed(1),
    ];
  });
  return table(
    [
      "target",
      "µs/event, 200 streams",
      "added per event, ms",
      "added to the first byte, ms",
      "KiB per idle stream",
    ],
    rows,
  );
}

function targetsOf(report: ProxyReport): string[] {
  return report.targets
    .map(({ name }) => name)
    .filter((name) => report.results.some((each) => each.target === name));
}

function find(
  report: ProxyReport,
  target: string,
  replicas: number,
  bodyKb: number,
  mode: Mode,
): ProxyResult | undefined {
  return report.results.find(
    (each) =>
      each.target === target && each.replicas === replicas && each.bodyKb === bodyKb && each.mode === mode,
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = `|${heads.map((_, column) => (column === 0 ? "---|" : "---:|")).join("")}`;
  return [line(heads), rule, ...rows.map(line)].join("\n");
}

function three({ p50, p95, p99 }: Quantiles): string {
  return [p50, p95, p99].map(ms).join(" / ");
}

function ms(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

function whole(value: number | null | undefined): string {
  return typeof value === "number" ? Math.round(value).toLocaleString("en-US") : "–";
}

function ratio(one: number | null | undefined, other: number | null | undefined): string {
  return typeof one === "number" && typeof other === "number" ? (one / other).toFixed(2) : "–";
}
