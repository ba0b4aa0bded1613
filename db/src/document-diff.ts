/** One changed field. Lists whose elements carry a unique `name` or `id` are compared by it, so the path reads `models[llama].strategy`. */
export interface DocumentChange {
  readonly path: readonly (string | number)[];
  readonly kind: "added" | "removed" | "changed";
  /** Absent when added. */
  readonly before?: unknown;
  /** Absent when removed. */
  readonly after?: unknown;
}

/** What a reader would call the difference between two JSON documents: fields, not lines. Key order does not count. */
export function diffDocuments(before: unknown, after: unknown): DocumentChange[] {
  const changes: DocumentChange[] = [];
  collect(before, after, [], changes);
  return changes;
}

function collect(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[],
  into: DocumentChange[],
): void {
  if (Object.is(before, after)) return;
  if (before === undefined) into.push({ path, kind: "added", after });
  else if (after === undefined) into.push({ path, kind: "removed", before });
  else if (isRecord(before) && isRecord(after)) collectKeys(before, after, path, into);
  else if (Array.isArray(before) && Array.isArray(after)) collectLists(before, after, path, into);
  else into.push({ path, kind: "changed", before, after });
}

function collectKeys(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
  into: DocumentChange[],
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    collect(before[key], after[key], [...path, key], into);
  }
}

function collectLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly (string | number)[],
  into: DocumentChange[],
): void {
  const beforeByKey = keyed(before);
  const afterByKey = keyed(after);
  if (beforeByKey === null || afterByKey === null) {
    for (let i = 0; i < Math.max(before.length, after.length); i++)
      collect(before[i], after[i], [...path, i], into);
    return;
  }
  for (const key of new Set([...beforeByKey.keys(), ...afterByKey.keys()])) {
    collect(beforeByKey.get(key), afterByKey.get(key), [...path, key], into);
  }
  // The first match wins in a policy, so order is a change of its own.
  const kept = [...beforeByKey.keys()].filter((key) => afterByKey.has(key));
  const now = [...afterByKey.keys()].filter((key) => beforeByKey.has(key));
  if (kept.join("\u0000") !== now.join("\u0000")) {
    into.push({
      path: [...path, "order"],
      kind: "changed",
      before: [...beforeByKey.keys()],
      after: [...afterByKey.keys()],
    });
  }
}

/** Elements by their `name` or `id`; null when they have none or it repeats. */
function keyed(list: readonly unknown[]): Map<string, unknown> | null {
  const byKey = new Map<string, unknown>();
  for (const element of list) {
    const key = isRecord(element) ? (element["name"] ?? element["id"]) : undefined;
    if (typeof key !== "string" || byKey.has(key)) return null;
    byKey.set(key, element);
  }
  return byKey;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
