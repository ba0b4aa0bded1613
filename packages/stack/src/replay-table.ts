import type { ReplayReport } from "@evenkeel/sim/http-replay";

export interface ReplayResult {
  strategy: string;
  report: ReplayReport;
}

type Column = readonly [title: string, cell: (report: ReplayReport) => string];

const ms = (value: number | null | undefined) =>
  value == null ? "–" : Math.round(value).toLocaleString("en-US");
const percent = (share: number | null) => (share === null ? "–" : `${(share * 100).toFixed(1)} %`);

const COLUMNS: readonly Column[] = [
  ["TTFT p50 ms", ({ ttftMs }) => ms(ttftMs?.p50)],
  ["p90", ({ ttftMs }) => ms(ttftMs?.p90)],
  ["p99", ({ ttftMs }) => ms(ttftMs?.p99)],
  ["ITL p90 ms", ({ itlMs }) => (itlMs === null ? "–" : itlMs.p90.toFixed(1))],
  ["hit rate", ({ hitRate }) => percent(hitRate)],
  ["load CV", ({ loadCv }) => loadCv?.toFixed(3) ?? "–"],
  ["goodput", ({ goodput }) => percent(goodput)],
  ["requests", ({ requests }) => String(requests)],
  ["failed", ({ failed, rejected }) => String(failed + rejected)],
];

/** The strategies side by side, as a Markdown table that also reads well in a terminal. */
export function replayTable(results: readonly ReplayResult[]): string {
  const rows = [
    ["strategy", ...COLUMNS.map(([title]) => title)],
    ...results.map(({ strategy, report }) => [strategy, ...COLUMNS.map(([, cell]) => cell(report))]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => `${"-".repeat(width + 1)}${column === 0 ? "-" : ":"}`).join("|")}|`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)].join("\n");
}

const BEGIN = "<!-- replay: written by npm run replay -->";
const END = "<!-- replay: end -->";

/** Replaces the marked section of a document, or appends one. */
export function withReplaySection(document: string, section: string): string {
  const block = `${BEGIN}\n${section.trim()}\n${END}`;
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END);
  if (from === -1 || to === -1) return `${document.trimEnd()}\n\n${block}\n`.trimStart();
  return document.slice(0, from) + block + document.slice(to + END.length);
}
