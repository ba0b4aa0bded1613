import type { EngineSignals } from "./replica.ts";

/** Larger than any gauge an engine can mean. */
const MOST = 1e9;

/** A reading with every impossible value replaced by null, and whether there was one. */
export interface CheckedSignals {
  readonly signals: EngineSignals;
  readonly hasInvalid: boolean;
}

/** Checks an engine's reading: a value that is not finite, negative or absurdly large is as good as missing. */
export function checkSignals(raw: EngineSignals): CheckedSignals {
  const occupancy =
    raw.kvOccupancy !== null && raw.kvOccupancy > 1 && raw.kvOccupancy <= 1.01 ? 1 : raw.kvOccupancy;
  const signals: EngineSignals = {
    observedAtMs: raw.observedAtMs,
    running: within(raw.running, 0, MOST),
    queueDepth: within(raw.queueDepth, 0, MOST),
    kvOccupancy: within(occupancy, 0, 1),
    kvCapacityTokens: within(raw.kvCapacityTokens, 1, 1e12),
    kvBlockTokens: within(raw.kvBlockTokens, 1, 1e6),
    adapters: raw.adapters,
    adapterSlots: within(raw.adapterSlots, 0, 1e6),
  };
  const hasInvalid =
    signals.running !== raw.running ||
    signals.queueDepth !== raw.queueDepth ||
    signals.kvOccupancy !== occupancy ||
    signals.kvCapacityTokens !== raw.kvCapacityTokens ||
    signals.kvBlockTokens !== raw.kvBlockTokens ||
    signals.adapterSlots !== raw.adapterSlots;
  return { signals, hasInvalid };
}

function within(value: number | null, least: number, most: number): number | null {
  return value !== null && value >= least && value <= most ? value : null;
}
