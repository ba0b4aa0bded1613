import { JsonSpan } from "./json-span.ts";
import { JsonText } from "./json-text.ts";

/** A parsed JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects, false for arrays, null, scalars, and what a scan left as written. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof JsonText) &&
    !(value instanceof JsonSpan)
  );
}
