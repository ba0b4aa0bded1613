import { strategySpec } from "@evenkeel/scheduler/catalog";
import type { StrategyType } from "@evenkeel/scheduler/strategy";
import { grouped, millis } from "#format/number.ts";

/** Sessions are shown by the first characters of their hash: enough to tell them apart, not to name them. */
export function shortSession(hash: string): string {
  return `s-${hash.slice(0, 6)}`;
}

/** An amount of the strategy's cost with its unit: `1 984 ms`, `3 requests`. */
export function costWords(strategy: StrategyType, amount: number): string {
  const unit = costUnit(strategy);
  return unit === "ms" ? millis(amount) : `${grouped(amount)} ${unit}`;
}

/** Unit of the strategy's cost, from its terms. */
export function costUnit(strategy: StrategyType): string {
  return strategySpec(strategy).terms[0]?.unit ?? "score";
}
