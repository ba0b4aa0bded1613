import { messagesErrorBody, messagesErrorEvent } from "@evenkeel/protocol/anthropic/error-body";
import { type ErrorCode, errorBody, errorEvent } from "@evenkeel/protocol/openai/error-body";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";

/** An error in the envelope that clients of a route expect. */
export interface ClientError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string | null;
}

/** A whole error body. */
export function clientErrorBody(kind: RouteKind, { code, message, param }: ClientError): string {
  return kind === "messages" ? messagesErrorBody(code, message, param) : errorBody(code, message, param);
}

/** The last event of a stream that has broken. */
export function clientErrorEvent(kind: RouteKind, { code, message }: ClientError): string {
  return kind === "messages" ? messagesErrorEvent(code, message) : errorEvent(code, message);
}
