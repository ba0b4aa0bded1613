import type { DecisionOutcome } from "@evenkeel/db/decision-record";
import type { StatusTone } from "#components/ui/status.tsx";

/** How an outcome is shown: what is our or a replica's failure stands out, a client's own leaving does not. */
export const OUTCOME_LOOK: Record<DecisionOutcome, { readonly word: string; readonly tone: StatusTone }> = {
  completed: { word: "completed", tone: "ok" },
  client_gone: { word: "client left", tone: "unknown" },
  rejected: { word: "rejected", tone: "crit" },
  upstream_failed: { word: "upstream failed", tone: "crit" },
  upstream_timeout: { word: "timed out", tone: "crit" },
  client_error: { word: "client error", tone: "unknown" },
  broken_stream: { word: "stream broke", tone: "crit" },
};
