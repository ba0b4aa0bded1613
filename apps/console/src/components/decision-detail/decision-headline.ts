import type { DecisionRecord } from "@evenkeel/db/decision-record";
import type { RoutedDecision } from "@evenkeel/scheduler/decision";
import { explainDecision, REASON_LABELS } from "@evenkeel/scheduler/explain";
import { costUnit, costWords } from "#components/decision-list/short-names.ts";

/** The drawer's first lines: who was chosen and against whom, then the whole sentence the router's log has too. */
export function decisionHeadline(record: DecisionRecord): {
  readonly headline: string;
  readonly sentence: string;
} {
  const { decision } = record;
  const sentence = explainDecision(decision, record.promptTokens ?? record.promptTokensPredicted);
  if (decision.kind === "rejected") {
    const [first = sentence, ...rest] = sentence.split(/(?<=\.)\s/);
    return { headline: first, sentence: rest.join(" ") };
  }
  return { headline: routedHeadline(decision), sentence };
}

function routedHeadline(decision: RoutedDecision): string {
  const { chosen, reason, candidates, strategy } = decision;
  const [own, best] = candidates;
  const subject = reason === "kept_pin" ? `${chosen} kept its pin` : `${chosen}: ${REASON_LABELS[reason]}`;
  if (own === undefined) return `${subject}.`;
  if (best === undefined) return `${subject}; it was the only candidate.`;
  const gap = best.cost - own.cost;
  const isTime = costUnit(strategy) === "ms";
  if (gap < 0) {
    const words = costWords(strategy, -gap);
    return isTime
      ? `${subject}; ${best.replica} was predicted ${words} faster.`
      : `${subject}; ${best.replica} was ${words} better.`;
  }
  if (gap === 0) return `${subject}; ${best.replica} was as good.`;
  return isTime
    ? `${subject}, ${costWords(strategy, gap)} ahead of ${best.replica}.`
    : `${subject}, ${costWords(strategy, gap)} before ${best.replica}.`;
}
