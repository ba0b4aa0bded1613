import microdiff from "microdiff";
import { isRecord, keyedDocument, ORDER } from "./keyed-document.ts";
import type { FieldPath } from "./yaml-source.ts";

/** One field that differs. */
export interface FieldChange {
  /** Names of keyed list elements instead of their index: `["models", "llama", "retries", "maxAttempts"]`. */
  readonly path: FieldPath;
  readonly kind: "added" | "removed" | "changed";
  /** Undefined when added. */
  readonly before: unknown;
  /** Undefined when removed. */
  readonly after: unknown;
}

/** What differs between two documents, field by field. The order of keys does not count, the order of models does. */
export function semanticDiff(before: unknown, after: unknown): readonly FieldChange[] {
  const from = keyedDocument(before);
  const to = keyedDocument(after);
  if (!isRecord(from) || !isRecord(to)) {
    return Object.is(from, to) ? [] : [{ path: [], kind: "changed", before, after }];
  }
  const changes = microdiff(from, to).map((difference): FieldChange => {
    const { path } = difference;
    if (difference.type === "CREATE")
      return { path, kind: "added", before: undefined, after: difference.value };
    if (difference.type === "REMOVE")
      return { path, kind: "removed", before: difference.oldValue, after: undefined };
    return { path, kind: "changed", before: difference.oldValue, after: difference.value };
  });
  return changes.filter((change) => !isEchoOfOrder(change, from, to));
}

/** An added or removed element changes the list's order line too; only a real move is told. */
function isEchoOfOrder(change: FieldChange, from: unknown, to: unknown): boolean {
  if (change.path.at(-1) !== ORDER) return false;
  if (change.kind !== "changed") return true;
  const parent = change.path.slice(0, -1);
  const before = keysAt(from, parent);
  const after = keysAt(to, parent);
  const kept = before.filter((key) => after.includes(key));
  const now = after.filter((key) => before.includes(key));
  return kept.join("\n") === now.join("\n");
}

function keysAt(root: unknown, path: FieldPath): readonly string[] {
  let value = root;
  for (const part of path) value = isRecord(value) ? value[String(part)] : undefined;
  return isRecord(value) ? Object.keys(value).filter((key) => key !== ORDER) : [];
}

/** `models[llama].retries.maxAttempts` */
export function pathWords(path: FieldPath): string {
  let words = "";
  for (const [index, part] of path.entries()) {
    const isElement = index > 0 && (path[index - 1] === "models" || path[index - 1] === "pools");
    if (isElement && part !== ORDER) words += `[${part}]`;
    else words += words === "" ? String(part) : `.${part}`;
  }
  return words === "" ? "document" : words;
}

/** A value in one line, as the diff prints it. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return "none";
  if (Array.isArray(value)) return `[${value.map(valueWords).join(", ")}]`;
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([key]) => key !== ORDER);
    return `{${fields.map(([key, inner]) => `${key}: ${valueWords(inner)}`).join(", ")}}`;
  }
  return String(value);
}
