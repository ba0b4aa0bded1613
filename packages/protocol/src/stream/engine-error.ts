import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** An error as an engine words it, in any of its envelopes. */
export interface EngineError {
  /** The HTTP status the engine names inside the body, null when it names none. */
  readonly status: number | null;
  readonly type: string | null;
  readonly message: string;
}

/**
 * Reads an error out of a JSON body or stream event; null when it is not an error. Known envelopes: nested
 * `{error: {...}}`, bare `{error: "text"}`, flat `{object: "error"}`, `{type: "error"}`, FastAPI's `{detail}`.
 */
export function readEngineError(body: JsonObject): EngineError | null {
  const error = body["error"];
  if (isJsonObject(error)) {
    return describe(error);
  }
  if (typeof error === "string") {
    return { status: null, type: text(body["error_type"]), message: error };
  }
  if (body["object"] === "error" || body["type"] === "error") {
    return describe(body);
  }
  const detail = body["detail"];
  if (detail !== undefined && detail !== null) {
    return { status: null, type: null, message: typeof detail === "string" ? detail : "request refused" };
  }
  return null;
}

function describe(error: JsonObject): EngineError {
  return {
    status: status(error["code"]) ?? status(error["http_status_code"]),
    type: text(error["type"]),
    message: text(error["message"]) ?? "unspecified error",
  };
}

/** Codes are numbers in most engines, and sometimes words; only an HTTP status counts. */
function status(value: unknown): number | null {
  const code = typeof value === "string" ? Number(value) : value;
  return typeof code === "number" && Number.isInteger(code) && code >= 400 && code <= 599 ? code : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
