/** What one data-parallel rank, or the one engine behind a URL, says of itself. Null: not reported or unusable. */
export interface RankMetrics {
  /** The engine's own label for the rank; "-" when it has only one and does not name it. */
  readonly rank: string;
  readonly running: number | null;
  readonly queueDepth: number | null;
  /** Share of KV blocks in use by running sequences, 0..1. */
  readonly kvOccupancy: number | null;
  readonly kvCapacityTokens: number | null;
  readonly kvBlockTokens: number | null;
  readonly kvBlocks: number | null;
  /** Further readings by the engine's own word, for display and diagnosis; nothing decides by them. */
  readonly details: Readonly<Record<string, number>>;
}

/** One scrape of an engine. A signal the engine does not report, or that cannot be believed, is null: never zero. */
export interface EngineMetrics {
  /** Sequences decoding in the engine, over all ranks. */
  readonly running: number | null;
  /** Sequences waiting in the engine, over all ranks and including hand-over queues of prefill/decode pairs. */
  readonly queueDepth: number | null;
  /** Share of KV blocks in use, 0..1, over all ranks by their capacity. */
  readonly kvOccupancy: number | null;
  /** KV capacity in tokens, over all ranks. */
  readonly kvCapacityTokens: number | null;
  /** Tokens per KV block; null when ranks differ. */
  readonly kvBlockTokens: number | null;
  /** Adapters the engine lists as running; null when LoRA is off or the engine names none. */
  readonly adapters: readonly string[] | null;
  /** Adapters requests wait for; null as for `adapters`. */
  readonly waitingAdapters: readonly string[] | null;
  /** Most adapters the engine holds at once. */
  readonly adapterSlots: number | null;
  /** Adapter slots in use, where the engine counts without naming. */
  readonly adapterSlotsUsed: number | null;
  /** False while the engine sleeps or is paused: it looks idle and healthy, but requests to it hang. */
  readonly isAwake: boolean | null;
  /** The served model by the engine's label, null when it does not say. */
  readonly model: string | null;
  readonly ranks: readonly RankMetrics[];
}

export type MetricsReading =
  | { readonly ok: true; readonly metrics: EngineMetrics }
  /** `not_prometheus`: some other document. `no_metrics`: a page without this engine's series. */
  | { readonly ok: false; readonly code: "not_prometheus" | "no_metrics"; readonly message: string };

/** Adapters of an engine that does not speak of them. */
export const NO_ADAPTERS = {
  adapters: null,
  waitingAdapters: null,
  adapterSlots: null,
  adapterSlotsUsed: null,
} as const;

type Combined = Pick<
  EngineMetrics,
  "running" | "queueDepth" | "kvOccupancy" | "kvCapacityTokens" | "kvBlockTokens"
>;

/**
 * One replica's figures from its ranks: counts and capacity add up, occupancy is the mean weighted by capacity (plain
 * when capacity is unknown). If one rank's figure is missing the total would be a wrong number, so it is null.
 */
export function combineRanks(ranks: readonly RankMetrics[]): Combined {
  return {
    running: sum(ranks.map((rank) => rank.running)),
    queueDepth: sum(ranks.map((rank) => rank.queueDepth)),
    kvOccupancy: meanOccupancy(ranks),
    kvCapacityTokens: sum(ranks.map((rank) => rank.kvCapacityTokens)),
    kvBlockTokens: common(ranks.map((rank) => rank.kvBlockTokens)),
  };
}

function sum(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) {
      return null;
    }
    total += value;
  }
  return values.length === 0 ? null : total;
}

function common(values: readonly (number | null)[]): number | null {
  const first = values[0] ?? null;
  return values.every((value) => value === first) ? first : null;
}

function meanOccupancy(ranks: readonly RankMetrics[]): number | null {
  if (ranks.length === 1) {
    return ranks[0]?.kvOccupancy ?? null;
  }
  const capacity = sum(ranks.map((rank) => rank.kvCapacityTokens));
  const weighted = sum(
    ranks.map((rank) =>
      rank.kvOccupancy === null
        ? null
        : rank.kvOccupancy * (capacity === null || capacity === 0 ? 1 : (rank.kvCapacityTokens ?? 0)),
    ),
  );
  if (weighted === null) {
    return null;
  }
  return weighted / (capacity === null || capacity === 0 ? ranks.length : capacity);
}
