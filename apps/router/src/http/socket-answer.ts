import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { clientErrorBody } from "./client-errors.ts";
import { RouterError } from "./router-error.ts";

/**
 * Answers on a bare socket, where there is no request object to answer through, and closes it.
 * @param headers whole lines
 */
export function answerOnSocket(socket: Duplex, error: RouterError, headers: readonly string[] = []): void {
  const body = clientErrorBody("other", error);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      headers.map((line) => `${line}\r\n`).join("") +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** What Node's parser refuses never becomes a request; the client still gets the usual error. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else answerOnSocket(socket, brokenRequest(error.code));
}

function brokenRequest(code: string | undefined): RouterError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new RouterError("invalid_request", "The request's headers are too large.", { status: 431 });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RouterError("invalid_request", "The request did not arrive in time.", { status: 408 });
    default:
      return new RouterError("invalid_request", "The request is not valid HTTP/1.1.");
  }
}
