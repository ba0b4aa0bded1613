import type { SampleTable } from "../../prometheus/sample-table.ts";
import { combineRanks, type EngineMetrics, type MetricsReading, NO_ADAPTERS } from "../engine-metrics.ts";
import { asCount, presentDetails } from "../read-gauge.ts";
import { readPage } from "../read-page.ts";

const RUNNING = "tgi_batch_current_size";
const WAITING = "tgi_queue_size";
const BUDGET = "tgi_batch_max_total_tokens";
const BUDGET_USED = "tgi_batch_current_max_tokens";

const WANTED: ReadonlySet<string> = new Set([RUNNING, WAITING, BUDGET, BUDGET_USED]);

/**
 * Reads TGI's `/metrics`. A family appears only after its first use, so a fresh server's page is nearly empty and its
 * figures are unknown, not zero. TGI reports no KV occupancy: its token budget is what running requests may grow to.
 */
export function readTgiMetrics(text: string): MetricsReading {
  return readPage(text, WANTED, (table) => (table.isEmpty ? null : describe(table)));
}

function describe(table: SampleTable): EngineMetrics {
  const gauge = (name: string) => asCount(table.all(name)[0]?.value);
  const rank = {
    rank: "-",
    running: gauge(RUNNING),
    queueDepth: gauge(WAITING),
    kvOccupancy: null,
    kvCapacityTokens: gauge(BUDGET),
    kvBlockTokens: null,
    kvBlocks: null,
    details: presentDetails({ max_total_tokens: gauge(BUDGET), current_max_tokens: gauge(BUDGET_USED) }),
  };
  return { ...combineRanks([rank]), ...NO_ADAPTERS, isAwake: null, model: null, ranks: [rank] };
}
