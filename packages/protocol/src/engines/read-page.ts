import { parsePrometheusText } from "../prometheus/parse-text.ts";
import { SampleTable } from "../prometheus/sample-table.ts";
import type { EngineMetrics, MetricsReading } from "./engine-metrics.ts";

/** Reads the wanted series of a Prometheus page and hands them to an engine's own reading. */
export function readPage(
  text: string,
  wanted: ReadonlySet<string>,
  read: (table: SampleTable) => EngineMetrics | null,
): MetricsReading {
  const page = parsePrometheusText(text, wanted);
  if (!page.ok) {
    return page;
  }
  const metrics = read(new SampleTable(page.samples));
  if (metrics === null) {
    return { ok: false, code: "no_metrics", message: "The page has none of the engine's series." };
  }
  return { ok: true, metrics };
}
