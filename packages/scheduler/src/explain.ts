import { strategySpec } from "./catalog.ts";
import type {
  Candidate,
  Decision,
  DecisionReason,
  FilterReason,
  RejectCode,
  SignalNote,
} from "./decision.ts";
import type { ReplicaState } from "./replica.ts";
import type { TermSpec } from "./strategy.ts";

export const REASON_LABELS: Readonly<Record<DecisionReason, string>> = {
  kept_pin: "kept pin",
  prefix_match: "prefix match",
  shortest_wait: "shortest wait",
  adapter_resident: "adapter resident",
  rotation: "rotation",
  canary: "canary",
  retry: "retry",
  shed: "shed",
  manual: "manual",
};

export const FILTER_LABELS: Readonly<Record<FilterReason, string>> = {
  ejected: "ejected after failures",
  unreachable: "unreachable",
  starting: "still starting",
  draining: "draining",
  cordoned: "cordoned",
  other_arm: "belongs to another arm",
  role: "wrong role",
  adapter_unavailable: "adapter unavailable",
  in_flight_limit: "at its in-flight limit",
  already_tried: "already tried",
  paused: "asked for a pause",
};

export const NOTE_LABELS: Readonly<Record<SignalNote, string>> = {
  missing_signal: "engine signals missing: judged by this router's own books",
  stale_signal: "engine signals stale",
  invalid_signal: "engine reported an impossible value: ignored",
  rate_from_prior: "speed not learned yet: the segment's is assumed",
  ramping: "new here: ramping up",
  panic_mode: "let in although unhealthy: hardly any other is left",
};

export const STATE_LABELS: Readonly<Record<ReplicaState, string>> = {
  ready: "ready",
  starting: "starting",
  ejected: "ejected",
  unreachable: "unreachable",
  draining: "draining",
  cordoned: "cordoned",
};

const REJECT_SENTENCES: Readonly<Record<RejectCode, string>> = {
  unknown_model: "Rejected: no policy and no replica for this model.",
  saturated: "Rejected: every replica is at its in-flight limit.",
  no_replica: "Rejected: no replica may take it.",
};

/** Terms below this share of the cost are left out of a sentence. */
const LEAST_SHARE = 0.03;
const MOST_TERMS = 3;

/**
 * The sentence an operator reads, for example
 * `r3: 412 ms (wait 160, prefill 252 of 1 900 uncached tokens) against r1: 1 630 ms (prefill 1 600 of 14 200 uncached tokens)`.
 * @param promptTokens length of the prompt, null when it is not at hand: uncached tokens are then left out.
 */
export function explainDecision(decision: Decision, promptTokens: number | null): string {
  if (decision.kind === "rejected") return withFiltered(REJECT_SENTENCES[decision.code], decision);
  const [best, second] = decision.candidates;
  if (best === undefined) return "No candidate was recorded.";
  const { terms } = strategySpec(decision.strategy);
  const chosen = describeCandidate(best, terms, promptTokens);
  const against = second === undefined ? "" : ` against ${describeCandidate(second, terms, promptTokens)}`;
  if (decision.kind === "held")
    return `Held: sending it now would probably break a stream's objective. ${chosen}${against}.`;
  const panic = decision.isPanic ? " Panic mode: unhealthy replicas were let in." : "";
  if (second === undefined) return withFiltered(`${chosen}: the only candidate.${panic}`, decision);
  return `${chosen}${against}.${keptPin(decision.reason, best, second)}${panic}`;
}

/** Why a session stayed although another replica was cheaper. */
function keptPin(reason: DecisionReason, best: Candidate, second: Candidate): string {
  const savingMs = best.cost - second.cost;
  if (reason !== "kept_pin" || savingMs <= 0) return "";
  return ` Kept its pin: moving would save ${amount(savingMs)} ms, which is within the margin or the dwell time.`;
}

/** One candidate with what makes up its cost: `r3: 412 ms (wait 160, prefill 252 of 1 900 uncached tokens)`. */
export function describeCandidate(
  candidate: Candidate,
  terms: readonly TermSpec[],
  promptTokens: number | null,
): string {
  const unit = terms[0]?.unit ?? "score";
  const total = `${candidate.replica}: ${amount(candidate.cost)} ${unit}`;
  if (terms.length < 2) return total;
  const parts = terms
    .map((term, index) => ({ term, value: candidate.terms[index] ?? 0 }))
    .filter(({ value }) => Math.abs(value) > LEAST_SHARE * Math.abs(candidate.cost) && value !== 0)
    .sort((x, y) => y.value - x.value)
    .slice(0, MOST_TERMS)
    .sort((x, y) => terms.indexOf(x.term) - terms.indexOf(y.term))
    .map(({ term, value }) => `${term.name} ${amount(value)}${tokensOf(term, candidate, promptTokens)}`);
  if (candidate.inFlight === 0) parts.unshift("idle");
  return parts.length === 0 ? total : `${total} (${parts.join(", ")})`;
}

function tokensOf(term: TermSpec, candidate: Candidate, promptTokens: number | null): string {
  if (term.name !== "prefill" || promptTokens === null) return "";
  return ` of ${amount(Math.max(0, promptTokens - candidate.cachedTokens))} uncached tokens`;
}

function withFiltered(sentence: string, decision: Decision): string {
  if (decision.filtered.length === 0) return sentence;
  const counts = new Map<FilterReason, number>();
  for (const { reason } of decision.filtered) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const list = [...counts].map(([reason, count]) => `${count} ${FILTER_LABELS[reason]}`).join(", ");
  return `${sentence} Left out: ${list}.`;
}

/** Between thousands, as everywhere in the console: a comma reads as a decimal sign in half the world. */
const THIN_SPACE = "\u2009";

/** Whole numbers grouped by thousands; small ones keep a digit. */
function amount(value: number): string {
  const rounded =
    Math.abs(value) < 10 && !Number.isInteger(value) ? value.toFixed(1) : String(Math.round(value));
  const [whole = "0", fraction] = rounded.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
