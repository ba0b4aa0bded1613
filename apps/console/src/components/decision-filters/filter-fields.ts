import { DECISION_OUTCOMES } from "@evenkeel/db/decision-record";
import { OUTCOME_LOOK } from "#components/decision-list/outcome-look.ts";
import { REASON_ORDER, reasonWord } from "#components/decision-list/reason-look.ts";
import type { DecisionFacets } from "#server/decisions/decision-facets.ts";
import type { DecisionFilter, DecisionFilterField } from "#server/decisions/decision-filter.ts";

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** How a field of the filter is named, offered and read back. */
export interface FilterField {
  readonly id: DecisionFilterField;
  readonly label: string;
  readonly help: string;
  /** Values to choose from; null when it is typed. */
  readonly choices: ((facets: DecisionFacets) => readonly Choice[]) | null;
  readonly isNumber: boolean;
}

const same = (values: readonly (string | number)[]): Choice[] =>
  values.map((value) => ({ value: String(value), label: String(value) }));

/** Every filter, in the order it is offered. */
export const FILTER_FIELDS: readonly FilterField[] = [
  {
    id: "chosen",
    label: "chosen",
    help: "Replica that was chosen",
    choices: (f) => same(f.replicas),
    isNumber: false,
  },
  {
    id: "lost",
    label: "lost",
    help: "Replica that was a candidate and lost",
    choices: (f) => same(f.replicas),
    isNumber: false,
  },
  {
    id: "reason",
    label: "reason",
    help: "Why the chosen replica was chosen",
    choices: () => REASON_ORDER.map((value) => ({ value, label: reasonWord(value) })),
    isNumber: false,
  },
  {
    id: "outcome",
    label: "outcome",
    help: "How the request ended for the client",
    choices: () => DECISION_OUTCOMES.map((value) => ({ value, label: OUTCOME_LOOK[value].word })),
    isNumber: false,
  },
  { id: "session", label: "session", help: "Start of the session's hash", choices: null, isNumber: false },
  {
    id: "model",
    label: "model",
    help: "Model or adapter asked for",
    choices: (f) => same(f.models),
    isNumber: false,
  },
  {
    id: "pool",
    label: "pool",
    help: "Pool it was routed in",
    choices: (f) => same(f.pools),
    isNumber: false,
  },
  {
    id: "marginBelow",
    label: "margin below",
    help: "The best other replica cost less than this much more, in the strategy's unit; 0: it was cheaper",
    choices: null,
    isNumber: true,
  },
  {
    id: "errorCode",
    label: "error",
    help: "Error code sent to the client",
    choices: (f) => same(f.errorCodes),
    isNumber: false,
  },
  {
    id: "revision",
    label: "revision",
    help: "Policy revision it was decided under",
    choices: (f) => same(f.revisions),
    isNumber: true,
  },
  {
    id: "strategy",
    label: "strategy",
    help: "Strategy that decided",
    choices: (f) => same(f.strategies),
    isNumber: false,
  },
  {
    id: "router",
    label: "router",
    help: "Router that decided",
    choices: (f) => same(f.routers),
    isNumber: false,
  },
];

/** The fields a filter sets, with the words of their values. */
export function activeFields(
  filter: DecisionFilter,
): readonly { readonly field: FilterField; readonly words: string }[] {
  return FILTER_FIELDS.flatMap((field) => {
    const value = filter[field.id];
    if (value === null) return [];
    const choice =
      field.id === "reason" || field.id === "outcome"
        ? field.choices?.(NO_FACETS).find((one) => one.value === value)
        : undefined;
    return [{ field, words: choice?.label ?? String(value) }];
  });
}

const NO_FACETS: DecisionFacets = {
  models: [],
  pools: [],
  replicas: [],
  strategies: [],
  errorCodes: [],
  routers: [],
  revisions: [],
};
