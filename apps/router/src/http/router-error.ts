import { ERROR_STATUS, type ErrorCode, hasRetryAfter } from "@evenkeel/protocol/openai/error-body";

/** Pause suggested to a refused client when nothing better is known. */
const DEFAULT_RETRY_AFTER_MS = 1_000;

/**
 * A failure to tell the client, with its stable code. The message is for the client: it never names a replica
 * and holds no text of the request; what the operator needs is in the decision.
 */
export class RouterError extends Error {
  override readonly name = "RouterError";
  readonly code: ErrorCode;
  /** The code's status, unless HTTP has a more exact one for this case (404 for a path, 405 for a method). */
  readonly status: number;
  /** The request field at fault, null when there is none. */
  readonly param: string | null;
  /** When to come back; always set for 429 and 503. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    detail: { param?: string; retryAfterMs?: number | null; status?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = detail.status ?? ERROR_STATUS[code];
    this.param = detail.param ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? (hasRetryAfter(code) ? DEFAULT_RETRY_AFTER_MS : null);
  }
}

/** The body of an answer to a request this router failed on by its own fault. */
export const INTERNAL_ERROR_BODY = JSON.stringify({
  error: {
    message: "The router failed on this request. The operator's log has the cause under the request id.",
    type: "server_error",
    param: null,
    code: "internal",
  },
});
