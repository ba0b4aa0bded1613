import { elementKeys } from "#policy/keyed-document.ts";
import { pathWords } from "#policy/semantic-diff.ts";
import type { FieldPath } from "#policy/yaml-source.ts";

/**
 * Where a problem lies, written as the changes write it: `models[llama].retries.maxAttempts`. An element whose list
 * names not every element, or one twice, keeps its index.
 */
export function problemPath(path: FieldPath, document: unknown): string {
  let value = document;
  const named = path.map((part) => {
    const keys = Array.isArray(value) ? elementKeys(value) : null;
    const inner =
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([key]) => key === String(part))?.[1]
        : undefined;
    value = inner;
    return typeof part === "number" ? (keys?.[part] ?? part) : part;
  });
  return pathWords(named);
}
