import type { JsonObject } from "../json/json-object.ts";
import { isJsonObject } from "../json/json-object.ts";
import { isText, textOf } from "../json/json-text.ts";
import { RequestProblemError } from "./request-problem.ts";

// Hand-written checks instead of a schema: they run on every request, and must not copy a megabyte of messages.

/** Longest model name accepted: names become labels and log fields. */
const MAX_MODEL_LENGTH = 512;

/** The model a client asks for. */
export function readModel(body: JsonObject): string {
  const model = body["model"];
  if (model === undefined || model === null) {
    throw new RequestProblemError(
      "model",
      'The body has no model. Add "model" with a name GET /v1/models lists.',
    );
  }
  return checkModelName(readString(model, "model"));
}

/** Refuses an empty or oversized model name. */
export function checkModelName(model: string): string {
  if (model.trim() === "") {
    throw new RequestProblemError("model", "model is empty. Use a name GET /v1/models lists.");
  }
  if (model.length > MAX_MODEL_LENGTH) {
    throw new RequestProblemError("model", `model is longer than ${MAX_MODEL_LENGTH} characters.`);
  }
  return model;
}

/** A boolean that defaults to false; null counts as absent. */
export function readFlag(body: JsonObject, field: string, path = field): boolean {
  const value = body[field];
  if (value === undefined || value === null) {
    return false;
  }
  if (typeof value !== "boolean") {
    throw new RequestProblemError(path, `${path} must be true or false.`);
  }
  return value;
}

/** A whole number of at least `least`; null when absent. */
export function readCount(body: JsonObject, field: string, least: number): number | null {
  const value = body[field];
  if (value === undefined || value === null) {
    return null;
  }
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) {
    throw new RequestProblemError(field, `${field} must be a whole number of at least ${least}.`);
  }
  return value;
}

/** A limit on tokens; null when absent. llama.cpp writes -1 for "no limit". */
export function readTokenLimit(body: JsonObject, field: string): number | null {
  return body[field] === -1 ? null : readCount(body, field, 0);
}

/** A string; null when absent. */
export function readText(body: JsonObject, field: string): string | null {
  const value = body[field];
  if (value === undefined || value === null) {
    return null;
  }
  return readString(value, field);
}

function readString(value: unknown, field: string): string {
  if (!isText(value)) {
    throw new RequestProblemError(field, `${field} must be a string.`);
  }
  const text = textOf(value);
  if (text === null) {
    throw new RequestProblemError(field, `${field} is not a valid JSON string.`);
  }
  return text;
}

/** An object; null when absent. */
export function readObject(body: JsonObject, field: string): JsonObject | null {
  const value = body[field];
  if (value === undefined || value === null) {
    return null;
  }
  if (!isJsonObject(value)) {
    throw new RequestProblemError(field, `${field} must be an object.`);
  }
  return value;
}
