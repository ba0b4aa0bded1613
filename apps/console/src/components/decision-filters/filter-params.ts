import { DECISION_OUTCOMES } from "@evenkeel/db/decision-record";
import { DECISION_REASONS } from "@evenkeel/scheduler/decision";
import { STRATEGY_TYPES } from "@evenkeel/scheduler/strategy";
import { parseAsFloat, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { REJECTED } from "#server/decisions/every-decision.ts";

/** The decision filter in the address, under the filter's own names. Unknown values are as good as none. */
export const filterParams = {
  chosen: parseAsString,
  lost: parseAsString,
  session: parseAsString,
  reason: parseAsStringLiteral([...DECISION_REASONS, REJECTED] as const),
  outcome: parseAsStringLiteral(DECISION_OUTCOMES),
  errorCode: parseAsString,
  revision: parseAsInteger,
  strategy: parseAsStringLiteral(STRATEGY_TYPES),
  router: parseAsString,
  marginBelow: parseAsFloat,
};
