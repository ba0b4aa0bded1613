import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { elementKey, ORDER } from "./keyed-document.ts";
import { type FieldChange, pathWords, semanticDiff } from "./semantic-diff.ts";
import type { FieldPath } from "./yaml-source.ts";

export type Side = "base" | "theirs" | "mine";

/** A field that both changed, each to something else. */
export interface Conflict {
  readonly key: string;
  readonly path: FieldPath;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** Two edits of one base, taken apart by field. */
export interface ThreeWay {
  /** Changes of mine that touch nothing of theirs; they go along with a rebase. */
  readonly mine: readonly FieldChange[];
  /** Changes of theirs that touch nothing of mine. */
  readonly theirs: readonly FieldChange[];
  readonly conflicts: readonly Conflict[];
}

/** Compares mine and theirs with their common base. Arguments are the documents as parsed. */
export function threeWay(base: unknown, theirs: unknown, mine: unknown): ThreeWay {
  const myChanges = semanticDiff(base, mine);
  const theirChanges = semanticDiff(base, theirs);
  const conflicts = new Map<string, Conflict>();
  const quietMine = myChanges.filter((change) => {
    const clash = theirChanges.filter((other) => touches(change.path, other.path));
    if (clash.length === 0) return true;
    const isSame = clash.every((other) => isSameChange(change, other));
    if (!isSame) addConflict(conflicts, change.path, clash, { base, theirs, mine });
    return false;
  });
  const quietTheirs = theirChanges.filter(
    (other) => !myChanges.some((change) => touches(change.path, other.path)),
  );
  return { mine: quietMine, theirs: quietTheirs, conflicts: [...conflicts.values()] };
}

/**
 * Their text with my changes worked in: all quiet ones, and of each conflict the side that was picked. Their comments
 * and order stay; what comes from me brings its own comments along.
 */
export function mergedText(
  texts: { readonly base: string; readonly theirs: string; readonly mine: string },
  plan: ThreeWay,
  picks: Readonly<Record<string, Side>>,
): string {
  const result = parseDocument(texts.theirs);
  const mine = parseDocument(texts.mine);
  const base = parseDocument(texts.base);
  for (const change of plan.mine) carry(result, mine, change.path);
  for (const conflict of plan.conflicts) {
    const side = picks[conflict.key] ?? "theirs";
    if (side !== "theirs") carry(result, side === "mine" ? mine : base, conflict.path);
  }
  return result.toString({ lineWidth: 0 });
}

interface Documents {
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** The conflict is about the shortest of the paths that touch each other, so that one pick settles them all. */
function addConflict(
  conflicts: Map<string, Conflict>,
  path: FieldPath,
  clash: readonly FieldChange[],
  documents: Documents,
): void {
  const shortest = clash.reduce<FieldPath>(
    (best, other) => (other.path.length < best.length ? other.path : best),
    path,
  );
  const key = pathWords(shortest);
  conflicts.set(key, {
    key,
    path: shortest,
    base: valueAt(documents.base, shortest),
    theirs: valueAt(documents.theirs, shortest),
    mine: valueAt(documents.mine, shortest),
  });
}

/** Whether one path is the other or lies within it. */
function touches(a: FieldPath, b: FieldPath): boolean {
  return a.slice(0, b.length).every((part, index) => String(part) === String(b[index]));
}

function isSameChange(a: FieldChange, b: FieldChange): boolean {
  return (
    pathWords(a.path) === pathWords(b.path) &&
    a.kind === b.kind &&
    JSON.stringify(a.after) === JSON.stringify(b.after)
  );
}

/** The value at a path that names list elements by key. */
export function valueAt(document: unknown, path: FieldPath): unknown {
  let value = document;
  for (const part of path) {
    if (Array.isArray(value)) {
      if (part === ORDER) return value.map(elementKey).join(", ");
      const list: readonly unknown[] = value;
      value =
        list.find((element) => elementKey(element) === part) ??
        (typeof part === "number" ? list[part] : undefined);
    } else if (typeof value === "object" && value !== null) {
      // Own fields of a plain parsed object.
      value = (value as Record<string, unknown>)[String(part)];
    } else {
      return undefined;
    }
  }
  return value;
}

/** Makes the field at `path` in `into` what it is in `from`: set, replaced or removed. */
function carry(into: Document.Parsed, from: Document.Parsed, path: FieldPath): void {
  if (path.at(-1) === ORDER) {
    reorder(into, from, path.slice(0, -1));
    return;
  }
  const source = indexPath(from, path);
  const node: unknown = source === null ? undefined : from.getIn(source, true);
  const target = indexPath(into, path);
  if (node === undefined) {
    if (target !== null) into.deleteIn(target);
    return;
  }
  if (target !== null) {
    into.setIn(target, cloned(node));
    return;
  }
  insert(into, from, path, node);
}

/** Adds a field that is not there yet; a list element goes behind the neighbour it has in `from`. */
function insert(into: Document.Parsed, from: Document.Parsed, path: FieldPath, node: unknown): void {
  const parentPath = path.slice(0, -1);
  const parentIndex = indexPath(into, parentPath);
  if (parentIndex === null) {
    // The parent is missing too: take it over whole.
    carry(into, from, parentPath);
    return;
  }
  const parent: unknown = parentIndex.length === 0 ? into.contents : into.getIn(parentIndex, true);
  if (!isSeq(parent)) {
    into.setIn([...parentIndex, path.at(-1)], cloned(node));
    return;
  }
  const fromParent: unknown = from.getIn(indexPath(from, parentPath) ?? [], true);
  const before = isSeq(fromParent)
    ? keysOf(fromParent).slice(0, keysOf(fromParent).indexOf(String(path.at(-1))))
    : [];
  const keys = keysOf(parent);
  const neighbour = before.reduceRight((found, key) => (found >= 0 ? found : keys.indexOf(key)), -1);
  parent.items.splice(neighbour + 1, 0, cloned(node));
}

function reorder(into: Document.Parsed, from: Document.Parsed, path: FieldPath): void {
  const target: unknown = into.getIn(indexPath(into, path) ?? [], true);
  const source: unknown = from.getIn(indexPath(from, path) ?? [], true);
  if (!isSeq(target) || !isSeq(source)) return;
  const wanted = keysOf(source);
  const rank = (item: unknown) => {
    const at = wanted.indexOf(keyOf(item));
    return at < 0 ? wanted.length : at;
  };
  target.items.sort((a, b) => rank(a) - rank(b));
}

/** The path with list elements by index, as this document has them; null when the field is absent. */
function indexPath(document: Document.Parsed, path: FieldPath): (string | number)[] | null {
  const found: (string | number)[] = [];
  let node: unknown = document.contents;
  for (const part of path) {
    if (isSeq(node)) {
      const byKey = keysOf(node).indexOf(String(part));
      const index = byKey >= 0 ? byKey : typeof part === "number" ? part : -1;
      if (index < 0 || index >= node.items.length) return null;
      found.push(index);
      node = node.items[index];
    } else if (isMap(node) && node.has(part)) {
      found.push(part);
      node = node.get(part, true);
    } else {
      return null;
    }
  }
  return found;
}

function keysOf(list: YAMLSeq): string[] {
  return list.items.map(keyOf);
}

function keyOf(item: unknown): string {
  if (!isMap(item)) return "";
  const map: YAMLMap = item;
  const key: unknown = map.get("name", true) ?? map.get("id", true);
  return isScalar(key) ? String(key.value) : "";
}

function cloned(node: unknown): unknown {
  return isNode(node) ? node.clone() : node;
}
