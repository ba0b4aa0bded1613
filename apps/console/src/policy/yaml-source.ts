import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { type BoundFault, boundFault } from "./yaml-bounds.ts";

export type FieldPath = readonly (string | number)[];

/** A stretch of the text, offsets in UTF-16 units, lines from 1. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

/** Something wrong with the text or the document, at its place. */
export interface PlacedProblem extends Place {
  readonly path: FieldPath;
  readonly message: string;
  readonly code: string;
}

/** A policy as typed: the text, what it says, and where each field stands in it. */
export interface YamlSource {
  readonly text: string;
  /** Null when the text is not YAML. */
  readonly document: unknown;
  /** What keeps the text from being YAML. */
  readonly syntaxProblems: readonly PlacedProblem[];
  /** Where a field stands; for one that is absent, where its nearest present parent stands. */
  placeOf(path: FieldPath): Place;
}

/** Reads YAML and keeps the positions. Never throws. */
export function readYaml(text: string): YamlSource {
  const fault = boundFault(text);
  if (fault !== null) return unread(text, fault);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const place = (from: number, to: number): Place => {
    const { line, col } = lines.linePos(from);
    return { from, to: Math.max(to, from), line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const syntaxProblems = parsed.errors.map((error) => ({
    ...place(Math.min(error.pos[0], text.length), Math.min(error.pos[1], text.length)),
    path: [],
    message: error.message,
    code: "yaml",
  }));
  const resolved = syntaxProblems.length > 0 ? { value: null, fault: null } : resolve(parsed);
  if (resolved.fault !== null) {
    syntaxProblems.push({ ...place(0, 0), path: [], message: resolved.fault, code: "yaml" });
  }
  return {
    text,
    document: syntaxProblems.length > 0 ? null : resolved.value,
    syntaxProblems,
    placeOf: (path) => {
      const range = rangeOf(parsed.contents, path);
      return range === null ? place(0, firstLineEnd(text)) : place(range[0], range[1]);
    },
  };
}

/** A text that is not built into a document: one problem, where it goes too far. */
function unread(text: string, { at, message }: BoundFault): YamlSource {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(0, lineStart).split("\n").length;
  const place = { from: at, to: Math.min(at + 1, text.length), line, column: at - lineStart + 1 };
  const start = { from: 0, to: firstLineEnd(text), line: 1, column: 1 };
  const syntaxProblems = [{ ...place, path: [], message, code: "yaml" }];
  return { text, document: null, syntaxProblems, placeOf: () => start };
}

/** Aliases are followed only here, and a chain of them that would explode is refused by the library. */
function resolve(parsed: Document.Parsed): { readonly value: unknown; readonly fault: string | null } {
  try {
    return { value: parsed.toJS({ maxAliasCount: 100 }), fault: null };
  } catch (error) {
    return {
      value: null,
      fault: error instanceof Error ? error.message : "The text cannot be read as a document.",
    };
  }
}

type Range = readonly [number, number];

function rangeOf(root: Node | null, path: FieldPath): Range | null {
  let node: unknown = root;
  let found: Range | null = null;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (pair === undefined || !isScalar(pair.key)) return found;
      found = spanOf(pair.key, pair.value) ?? found;
      node = pair.value;
    } else if (isSeq(node) && typeof part === "number") {
      const item: unknown = node.items[part];
      if (item === undefined) return found;
      found = nodeSpan(item) ?? found;
      node = item;
    } else {
      return found;
    }
  }
  return found;
}

/** A scalar is marked from key to end of value, a nested block by its key alone. */
function spanOf(key: Node, value: unknown): Range | null {
  const keyRange = key.range;
  if (!keyRange) return null;
  const valueRange = isScalar(value) ? value.range : null;
  return [keyRange[0], valueRange && valueRange[1] > keyRange[1] ? valueRange[1] : keyRange[1]];
}

function nodeSpan(node: unknown): Range | null {
  if (isCollection(node)) {
    const first = node.items[0];
    if (isPair(first) && isScalar(first.key)) return spanOf(first.key, first.value);
    return node.range ? [node.range[0], node.range[1]] : null;
  }
  return isScalar(node) && node.range ? [node.range[0], node.range[1]] : null;
}

function firstLineEnd(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 ? text.length : end;
}
