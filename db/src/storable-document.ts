import type { PolicyProblem } from "@evenkeel/scheduler/compile-policy";
import { storableText } from "./storable-text.ts";

/** Texts of a document that Postgres cannot hold, one problem each, with the path of the text or of the key. */
export function unstorableTexts(document: unknown, path: readonly (string | number)[] = []): PolicyProblem[] {
  if (typeof document === "string") return storableText(document) === document ? [] : [problemAt(path)];
  if (typeof document !== "object" || document === null) return [];
  const isList = Array.isArray(document);
  return Object.entries(document).flatMap(([key, value]) => {
    const at = [...path, isList ? Number(key) : key];
    return storableText(key) === key ? unstorableTexts(value, at) : [problemAt(at)];
  });
}

function problemAt(path: readonly (string | number)[]): PolicyProblem {
  return {
    path,
    message: "holds a NUL character or half a surrogate pair, which cannot be stored: remove it",
    code: "invalid_value",
  };
}
