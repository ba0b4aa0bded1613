import { DECISION_REASONS } from "@evenkeel/scheduler/decision";
import { REASON_LABELS } from "@evenkeel/scheduler/explain";
import type { ReasonOrRejected } from "#server/decisions/count-decisions.ts";
import { REJECTED } from "#server/decisions/every-decision.ts";

/** CSS variable of each reason's colour: the same on every page. */
const TOKENS: Record<ReasonOrRejected, string> = {
  kept_pin: "--c-pin",
  prefix_match: "--c-prefix",
  shortest_wait: "--c-wait",
  adapter_resident: "--c-adapter",
  rotation: "--t-transfer",
  canary: "--c-canary",
  retry: "--c-retry",
  shed: "--c-shed",
  manual: "--c-manual",
  rejected: "--crit",
};

/** Reasons in the order they are stacked and listed. */
export const REASON_ORDER: readonly ReasonOrRejected[] = [...DECISION_REASONS, REJECTED];

export function reasonColour(reason: ReasonOrRejected): string {
  return `var(${TOKENS[reason]})`;
}

export function reasonWord(reason: ReasonOrRejected): string {
  return reason === REJECTED ? "rejected" : REASON_LABELS[reason];
}

/** Ink that reads on the reason's colour in either theme. */
export function reasonInk(reason: ReasonOrRejected): string {
  return DARK_IN_LIGHT.has(reason) ? "light-dark(#ffffff, #0b0e14)" : "#0b0e14";
}

const DARK_IN_LIGHT = new Set<ReasonOrRejected>(["shortest_wait", "retry", "shed", "rejected", "rotation"]);
