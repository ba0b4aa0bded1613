import { leastRequest } from "./strategies/least-request.ts";
import { lmetric } from "./strategies/lmetric.ts";
import { predictedCost } from "./strategies/predicted-cost.ts";
import { roundRobin } from "./strategies/round-robin.ts";
import type { StrategySpec, StrategyType } from "./strategy.ts";

/** The closed table of strategies. Form, validation, explanation and replay all read it; a new one is one more row. */
export const STRATEGY_CATALOG: readonly StrategySpec[] = [predictedCost, roundRobin, leastRequest, lmetric];

/** The catalog's row for a strategy type. */
export function strategySpec(type: StrategyType): StrategySpec {
  const spec = STRATEGY_CATALOG.find((row) => row.type === type);
  if (spec === undefined) throw new RangeError(`the catalog has no row for strategy "${type}"`);
  return spec;
}
