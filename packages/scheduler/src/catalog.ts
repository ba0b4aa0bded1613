import { aibrixPrefix } from "./strategies/aibrix-prefix.ts";
import { consistentHash } from "./strategies/consistent-hash.ts";
import { dynamoCost } from "./strategies/dynamo-cost.ts";
import { leastRequest } from "./strategies/least-request.ts";
import { llmDBlend } from "./strategies/llm-d-blend.ts";
import { llmDSticky } from "./strategies/llm-d-sticky.ts";
import { lmetric } from "./strategies/lmetric.ts";
import { powerOfTwo } from "./strategies/power-of-two.ts";
import { preble } from "./strategies/preble.ts";
import { predictedCost } from "./strategies/predicted-cost.ts";
import { prefixHashBounded } from "./strategies/prefix-hash-bounded.ts";
import { productionStackLoadaware } from "./strategies/production-stack-loadaware.ts";
import { random } from "./strategies/random.ts";
import { roundRobin } from "./strategies/round-robin.ts";
import { sglOwners } from "./strategies/sgl-owners.ts";
import { smgCacheAware } from "./strategies/smg-cache-aware.ts";
import type { StrategySpec, StrategyType } from "./strategy.ts";

/** The closed table of strategies. Form, validation, explanation and replay all read it; a new one is one more row. */
export const STRATEGY_CATALOG: readonly StrategySpec[] = [
  predictedCost,
  roundRobin,
  random,
  leastRequest,
  powerOfTwo,
  consistentHash,
  prefixHashBounded,
  smgCacheAware,
  sglOwners,
  llmDBlend,
  llmDSticky,
  dynamoCost,
  lmetric,
  preble,
  aibrixPrefix,
  productionStackLoadaware,
];

/** The catalog's row for a strategy type. */
export function strategySpec(type: StrategyType): StrategySpec {
  const spec = STRATEGY_CATALOG.find((row) => row.type === type);
  if (spec === undefined) throw new RangeError(`the catalog has no row for strategy "${type}"`);
  return spec;
}
