import type { AttemptOutcome } from "@evenkeel/db/decision-record";

/** What an attempt's end says of the replica it went to. */
export type Blame =
  | "none"
  /** Evidence that the replica works. */
  | "credit"
  /** Counts towards ejection. */
  | "replica"
  /** Counts towards ejection unless another replica answers the same request the same way. */
  | "replica_or_request";

export interface FailureRule {
  /** May another candidate be tried, as long as no byte reached the client? */
  readonly mayRetry: boolean;
  readonly blame: Blame;
}

/** The failure rules as one table; docs/failures.md explains it to operators. */
export const FAILURE_RULES: Readonly<Record<AttemptOutcome, FailureRule>> = {
  completed: { mayRetry: false, blame: "credit" },
  client_gone: { mayRetry: false, blame: "none" },
  connect_failed: { mayRetry: true, blame: "replica" },
  reset_before_first_byte: { mayRetry: true, blame: "replica" },
  first_byte_timeout: { mayRetry: true, blame: "replica" },
  engine_saturated: { mayRetry: true, blame: "none" },
  engine_error: { mayRetry: true, blame: "replica_or_request" },
  client_error: { mayRetry: false, blame: "none" },
  broken_stream: { mayRetry: false, blame: "replica" },
  idle_timeout: { mayRetry: false, blame: "replica" },
};

/** Error codes of a connection that never carried the request. */
const CONNECT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** How an attempt ended that broke before its answer began. */
export function outcomeOfEarlyError(error: Error, wasSent: boolean): AttemptOutcome {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return !wasSent || CONNECT_CODES.has(code) ? "connect_failed" : "reset_before_first_byte";
}

/**
 * Milliseconds a `Retry-After` value asks for (seconds or an HTTP date); null when it is absent or unreadable.
 * Capped at five minutes: an engine's clock must not bench it for a day.
 */
export function readRetryAfter(value: string | string[] | undefined, nowMs: number): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return null;
  const waitMs = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  if (!Number.isFinite(waitMs)) return null;
  return Math.min(300_000, Math.max(0, waitMs));
}
