import { isMap, isPair, isScalar, isSeq, type Node, parseDocument } from "yaml";
import { boundFault } from "./yaml-bounds.ts";
import type { FieldPath } from "./yaml-source.ts";

export interface FieldAt {
  readonly path: FieldPath;
  readonly from: number;
  readonly to: number;
}

/** The field whose name stands at an offset of the text; null when none does. */
export function fieldAt(text: string, offset: number): FieldAt | null {
  if (boundFault(text) !== null) return null;
  const { contents } = parseDocument(text, { prettyErrors: false });
  return find(contents, offset, []);
}

function find(node: Node | null, offset: number, path: FieldPath): FieldAt | null {
  if (isMap(node)) {
    for (const pair of node.items) {
      if (!isPair(pair) || !isScalar(pair.key) || !pair.key.range) continue;
      const inner = [...path, String(pair.key.value)];
      const [from, to] = pair.key.range;
      if (offset >= from && offset <= to) return { path: inner, from, to };
      const value: unknown = pair.value;
      const found = isMap(value) || isSeq(value) ? find(value, offset, inner) : null;
      if (found !== null) return found;
    }
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = isMap(item) || isSeq(item) ? find(item, offset, [...path, index]) : null;
      if (found !== null) return found;
    }
  }
  return null;
}
