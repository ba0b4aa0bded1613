/** The router's own error codes: stable, documented, and the same word in logs, metrics and decisions. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  unknown_model: 404,
  body_too_large: 413,
  saturated: 429,
  upstream_failed: 502,
  no_replica: 503,
  upstream_timeout: 504,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** OpenAI's error types, by which client libraries choose an exception. */
const ERROR_TYPE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "invalid_request_error",
  unauthorized: "authentication_error",
  unknown_model: "invalid_request_error",
  body_too_large: "invalid_request_error",
  saturated: "rate_limit_error",
  upstream_failed: "server_error",
  no_replica: "server_error",
  upstream_timeout: "server_error",
};

/** Codes whose answer carries `Retry-After`. */
export function hasRetryAfter(code: ErrorCode): boolean {
  return code === "saturated" || code === "no_replica";
}

/** The JSON text of an OpenAI error body. `param` names the field at fault. */
export function errorBody(code: ErrorCode, message: string, param: string | null = null): string {
  return JSON.stringify({ error: { message, type: ERROR_TYPE[code], param, code } });
}

/**
 * An error as a last event of a stream whose status has already been sent. No `[DONE]` follows: a broken stream
 * must not look like a clean end.
 */
export function errorEvent(code: ErrorCode, message: string): string {
  return `data: ${errorBody(code, message)}\n\n`;
}
