/** Separates a list's keyed elements from its order in a keyed document. */
export const ORDER = "(order)";

/**
 * The document with every list whose elements carry a unique `name` or `id` turned into an object by it, so that a
 * model that moved down the list is not taken for another one. Order counts in a policy and becomes a field of its own.
 */
export function keyedDocument(value: unknown): unknown {
  if (Array.isArray(value)) {
    const keys = elementKeys(value);
    if (keys === null) return value.map(keyedDocument);
    const entries = value.map(
      (element, index) => [keys[index] ?? String(index), keyedDocument(element)] as const,
    );
    return { ...Object.fromEntries(entries), [ORDER]: keys.join(", ") };
  }
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keyedDocument(inner)]));
  }
  return value;
}

/** The elements' keys in order; null when an element has none, one repeats, or the list is empty. */
export function elementKeys(list: readonly unknown[]): readonly string[] | null {
  const keys: string[] = [];
  for (const element of list) {
    const key = elementKey(element);
    if (key === null || key === ORDER || keys.includes(key)) return null;
    keys.push(key);
  }
  return keys.length === 0 ? null : keys;
}

export function elementKey(element: unknown): string | null {
  if (!isRecord(element)) return null;
  const key = element["name"] ?? element["id"];
  return typeof key === "string" ? key : null;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
