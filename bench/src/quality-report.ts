import { cpus } from "node:os";
import { lineChart } from "./line-chart.ts";
import { type Interval, meanInterval, pairedRatio } from "./paired-interval.ts";
import type { QualityOptions } from "./quality-options.ts";
import { KNEE_GOODPUT, type KneeResult, type QualityResult } from "./quality-run.ts";
import type { WorkloadSource } from "./workload-source.ts";

interface QualityFigures {
  readonly options: QualityOptions;
  readonly source: WorkloadSource;
  readonly knees: readonly KneeResult[];
  readonly results: readonly QualityResult[];
  /** Hit rate of one cache of unlimited size, null when there is none to tell. */
  readonly hitCeiling: number | null;
  /** How long the bench took. */
  readonly seconds: number;
}

/** Names a section and its plot: one per workload, scenario and fleet. */
export function sectionName(options: QualityOptions, source: WorkloadSource): string {
  const routers = options.routers === 1 ? "" : `-${options.routers}-routers`;
  const raw = options.raw ? "-raw" : "";
  return `${source.name}-${options.scenario}-${options.replicas}${routers}${raw}`;
}

/** The Markdown of one workload: knees, then every strategy at equal loads. */
export function qualitySection(figures: QualityFigures): string {
  const { options, source } = figures;
  const title = `### ${source.name}, ${options.replicas} × ${options.preset}, ${options.scenario}`;
  const setting = [
    `${options.half} half of the trace's time`,
    `${options.seeds} seeds`,
    options.routers === 1 ? "one router" : `${options.routers} routers`,
    options.scrapeIntervalMs === null ? "no scrapes" : `metrics every ${options.scrapeIntervalMs} ms`,
    `token events ${options.observationMs} ms late`,
    `${cpus()[0]?.model.trim() ?? "unknown CPU"}, Node ${process.versions.node}, ${figures.seconds.toFixed(0)} s`,
  ];
  return [title, "", `${setting.join("; ")}.`, "", kneeTable(figures), "", loadTables(figures)]
    .join("\n")
    .trimEnd();
}

function kneeTable({ options, source, knees }: QualityFigures): string {
  const [first] = options.strategies;
  const rpsOf = (strategy: string): number[] =>
    seedsOf(options).map(
      (seed) => knees.find((k) => k.strategy === strategy && k.seed === seed)?.kneeRps ?? 0,
    );
  const sessions = source.unit === "sessions" ? " (sessions)" : "";
  const rows = options.strategies.map(({ name }) => {
    const own = knees.filter(({ strategy }) => strategy === name);
    const loads = meanInterval(own.map(({ kneeLoad }) => kneeLoad));
    const ratio = first === undefined ? null : pairedRatio(rpsOf(first.name), rpsOf(name));
    const knee = intervalText(meanInterval(own.map(({ kneeRps }) => kneeRps)), 2);
    const inSessions = source.unit === "sessions" && loads !== null ? ` (${loads.mean.toFixed(0)})` : "";
    const missing =
      own.length === 0 || own.length === options.seeds ? "" : ` in ${own.length} of ${options.seeds} seeds`;
    return [name, `${knee}${inSessions}${missing}`, name === first?.name ? "" : intervalText(ratio, 2)];
  });
  return markdownTable(
    [
      "strategy",
      `knee, requests/s${sessions}: highest load with goodput ≥ ${100 * KNEE_GOODPUT} %`,
      `${first?.name ?? ""} against it`,
    ],
    rows,
  );
}

function loadTables({ options, results, source, hitCeiling }: QualityFigures): string {
  const tables = options.loads.map((share) => {
    const at = results.filter(({ kneeShare }) => kneeShare === share);
    const [any] = at;
    if (any === undefined) return "";
    const rows = options.strategies.map(({ name }) => {
      const own = at.filter(({ strategy }) => strategy === name);
      const mean = (read: (result: QualityResult) => number | null | undefined): number | null => {
        const values = own.map(read).filter((value) => value !== null && value !== undefined);
        return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
      };
      return [
        name,
        percentText(
          mean(({ goodput }) => goodput),
          2,
        ),
        `${percentText(
          mean((r) => r.ttftMissShare),
          1,
        )} / ${percentText(
          mean((r) => r.itlMissShare),
          1,
        )}`,
        [mean((r) => r.ttftMs?.p50), mean((r) => r.ttftMs?.p90), mean((r) => r.ttftMs?.p99)]
          .map(msText)
          .join(" / "),
        [mean((r) => r.itlMs?.p90), mean((r) => r.itlMs?.p99)]
          .map((value) => value?.toFixed(1) ?? "none")
          .join(" / "),
        percentText(
          mean(({ hitRate }) => hitRate),
          1,
        ),
        mean(({ loadCv }) => loadCv)?.toFixed(3) ?? "none",
        msText(mean(({ heldP99Ms }) => heldP99Ms)),
        String(mean(({ rejects, failed }) => rejects + failed)?.toFixed(0) ?? "none"),
      ];
    });
    const unit = source.unit === "sessions" ? "sessions" : "requests/s";
    const heading = `At ${share} × the best knee (${any.load.toFixed(source.unit === "sessions" ? 0 : 2)} ${unit}):`;
    const header = [
      "strategy",
      "goodput",
      "misses TTFT / ITL",
      "TTFT p50 / p90 / p99 ms",
      "ITL p90 / p99 ms",
      hitCeiling === null ? "hit rate" : `hit rate (unlimited cache: ${percentText(hitCeiling, 1)})`,
      "load CV",
      "held p99 ms",
      "refused or failed",
    ];
    return `${heading}\n\n${markdownTable(header, rows)}`;
  });
  return tables.filter((table) => table !== "").join("\n\n");
}

/** Goodput over load, one line per strategy, from the runs of the knee search. */
export function qualityPlots(
  knees: readonly KneeResult[],
  source: WorkloadSource,
  options: QualityOptions,
): string {
  return lineChart({
    title: `${source.name}: goodput over load, ${options.replicas} replicas, ${options.scenario}`,
    xLabel: source.unit,
    yLabel: "goodput",
    yRange: [0.9, 1],
    lines: options.strategies.map(({ name }) => ({
      name,
      points: knees
        .filter(({ strategy }) => strategy === name)
        .flatMap(({ probes }) => probes.map(({ load, goodput }) => ({ x: load, y: goodput }))),
    })),
    mark: { y: KNEE_GOODPUT, label: `${100 * KNEE_GOODPUT} %` },
  });
}

/** Replaces one marked section of a document, or appends it. */
export function withSection(document: string, name: string, section: string): string {
  const begin = `<!-- bench:quality ${name} -->`;
  const end = `<!-- bench:quality ${name} end -->`;
  const block = `${begin}\n${section.trim()}\n${end}`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) return `${document.trimEnd()}\n\n${block}\n`.trimStart();
  return document.slice(0, from) + block + document.slice(to + end.length);
}

function seedsOf(options: QualityOptions): number[] {
  return Array.from({ length: options.seeds }, (_, index) => index + 1);
}

function intervalText(interval: Interval | null, digits: number): string {
  if (interval === null) return "none";
  const mean = interval.mean.toFixed(digits);
  if (interval.low === null || interval.high === null) return mean;
  return `${mean} (${interval.low.toFixed(digits)} … ${interval.high.toFixed(digits)})`;
}

function percentText(share: number | null, digits: number): string {
  return share === null ? "none" : `${(100 * share).toFixed(digits)} %`;
}

function msText(value: number | null): string {
  return value === null ? "none" : Math.round(value).toLocaleString("en-US");
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(header),
    line(header.map((_, index) => (index === 0 ? "---" : "--:"))),
    ...rows.map(line),
  ].join("\n");
}
