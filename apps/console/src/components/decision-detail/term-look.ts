import { strategySpec } from "@evenkeel/scheduler/catalog";
import type { Candidate } from "@evenkeel/scheduler/decision";
import type { StrategyType } from "@evenkeel/scheduler/strategy";
import { counted, grouped, percent } from "#format/number.ts";

/** A cost term as the strategy's catalog row names it, with its place and colour. */
export interface TermLook {
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  readonly index: number;
  readonly colour: string;
}

/** Terms with a colour of their own on every page; others take one that the strategy does not use yet. */
const OWN_COLOUR: Readonly<Record<string, string>> = {
  wait: "--t-wait",
  prefill: "--t-prefill",
  adapter: "--t-adapter",
  transfer: "--t-transfer",
  decode: "--t-decode",
  harm: "--t-harm",
};
const SPARE = [
  "--c-shed",
  "--c-canary",
  "--t-prefill",
  "--t-decode",
  "--t-harm",
  "--t-adapter",
  "--t-wait",
  "--t-transfer",
];

/**
 * The terms by the names they had when the decision was made, with unit and help of the catalog as it is now. A new
 * strategy, or a term that has gone since, needs nothing here.
 */
export function termLooks(strategy: StrategyType, termNames: readonly string[]): readonly TermLook[] {
  const { terms } = strategySpec(strategy);
  const taken = new Set(termNames.map((name) => OWN_COLOUR[name]));
  const spare = SPARE.filter((token) => !taken.has(token));
  return termNames.map((name, index) => {
    const spec = terms.find((term) => term.name === name);
    const token = OWN_COLOUR[name] ?? spare.shift() ?? "--bar-ref";
    return {
      name,
      help: spec?.help ?? "A term the strategy had when this was decided.",
      unit: spec?.unit ?? terms[0]?.unit ?? "score",
      index,
      colour: `var(${token})`,
    };
  });
}

/** Age of a candidate's engine signals in words. */
export function signalAge(candidate: Candidate): string {
  if (candidate.signalAgeMs === null) return "no signal";
  return `${grouped(candidate.signalAgeMs / 1000, candidate.signalAgeMs < 10_000 ? 1 : 0)} s`;
}

/** What a term rests on, and how old that is. Terms it does not know get the age of the engine's signals. */
export function termBasis(
  term: string,
  candidate: Candidate,
  promptTokens: number,
): { readonly what: string; readonly age: string } {
  const engine = candidate.signalAgeMs === null ? "no engine signal" : `engine ${signalAge(candidate)}`;
  switch (term) {
    case "wait":
      return {
        what: `${candidate.inFlight} in flight, ${candidate.queueDepth ?? "?"} queued`,
        age: `exact, ${engine}`,
      };
    case "prefill":
      return {
        what: `${grouped(Math.max(0, promptTokens - candidate.cachedTokens))} uncached tok`,
        age: `of ${grouped(promptTokens)}, own index`,
      };
    case "decode":
    case "work":
    case "harm":
      return {
        what: `${candidate.running === null ? "? running" : `${candidate.running} running`}, KV ${percent(candidate.kvOccupancy)}`,
        age: engine,
      };
    case "adapter":
    case "transfer":
      return { what: "", age: engine };
    case "in flight":
      return { what: counted(candidate.inFlight, "request"), age: "own count, exact" };
    default:
      return { what: "", age: engine };
  }
}
