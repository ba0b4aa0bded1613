import { isJsonObject } from "../json/json-object.ts";
import { type EngineError, readEngineError } from "../stream/engine-error.ts";

/**
 * What an engine's answer means for the replica.
 * `ok`: served.
 * `saturated`: full, try another; the replica is healthy.
 * `not_serving`: alive but asleep, loading or scaling; try another until it is ready.
 * `model_missing`: this replica does not have the model or adapter; another may.
 * `client_error`: the request is at fault; no replica will do better.
 * `engine_error`: the replica failed.
 */
export type AnswerClass =
  | "ok"
  | "saturated"
  | "not_serving"
  | "model_missing"
  | "client_error"
  | "engine_error";

/** Bytes of an error body worth reading: every known envelope puts status and type near its start. */
export const ERROR_PREFIX_BYTES = 4096;

/** Classifies by status and what the engine's envelope says, as most engines mean them. */
export function classifyByStatus(status: number): AnswerClass {
  if (status < 400) {
    return "ok";
  }
  if (status === 429 || status === 503) {
    return "saturated";
  }
  if (status === 404) {
    return "model_missing";
  }
  // 501: a feature this engine does not have, which no retry changes.
  return status < 500 || status === 501 ? "client_error" : "engine_error";
}

/** Classifies an error event inside a stream that had begun with status 200. */
export function classifyStreamError(error: EngineError): AnswerClass {
  // A stream that had been accepted and then fails is the engine's doing unless it says otherwise.
  return error.status === 429 || error.status === 503 ? "saturated" : "engine_error";
}

/** The error in the beginning of a body; null when it is cut, not JSON, or no error. */
export function readErrorBody(body: string): EngineError | null {
  try {
    const parsed: unknown = JSON.parse(body);
    return isJsonObject(parsed) ? readEngineError(parsed) : null;
  } catch {
    return null;
  }
}
