import type { ErrorCode } from "../openai/error-body.ts";

/** Anthropic's error types, by which its client libraries choose an exception. */
const ERROR_TYPE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "invalid_request_error",
  unauthorized: "authentication_error",
  unknown_model: "not_found_error",
  body_too_large: "request_too_large",
  saturated: "rate_limit_error",
  upstream_failed: "api_error",
  no_replica: "overloaded_error",
  upstream_timeout: "timeout_error",
};

/** The JSON text of an error in Anthropic's envelope; our stable code rides along, as in OpenAI's. */
export function messagesErrorBody(code: ErrorCode, message: string, param: string | null = null): string {
  return JSON.stringify({ type: "error", error: { type: ERROR_TYPE[code], message, param, code } });
}

/** An error as the last event of a Messages stream. No `message_stop` follows. */
export function messagesErrorEvent(code: ErrorCode, message: string): string {
  return `event: error\ndata: ${messagesErrorBody(code, message)}\n\n`;
}
