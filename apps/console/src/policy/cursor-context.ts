import type { FieldPath } from "./yaml-source.ts";

/** What is being typed at the cursor. */
export interface CursorContext {
  /** The block the cursor is in; every list element is written as index 0. */
  readonly parent: FieldPath;
  /** The field whose value is being typed; null while its name is. */
  readonly field: string | null;
  /** Offset where the typed word begins. */
  readonly from: number;
  /** The word so far. */
  readonly typed: string;
}

interface Line {
  /** Columns of the dashes in front. */
  readonly dashes: readonly number[];
  /** Column of the first character behind blanks and dashes. */
  readonly column: number;
  readonly rest: string;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s:#][^:#]*?)\s*:(?:\s|$)/;

/**
 * Where in the document a cursor stands, read from the indentation above it: the text is being typed and is seldom
 * valid YAML. Null inside a comment or a `{…}` block.
 */
export function cursorContext(text: string, offset: number): CursorContext | null {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const current = readLine(text.slice(start, offset));
  if (current.rest.includes("#") || current.rest.includes("{")) return null;
  const parent = parentPath(text.slice(0, start).split("\n").slice(0, -1), current);
  const key = /^("[^"]*"|'[^']*'|[^\s:][^:]*?)\s*:\s+(.*)$/.exec(current.rest);
  if (key === null) {
    return { parent, field: null, from: offset - current.rest.length, typed: current.rest };
  }
  const [, name = "", typed = ""] = key;
  return { parent, field: unquoted(name), from: offset - typed.length, typed };
}

function readLine(line: string): Line {
  const dashes: number[] = [];
  let column = 0;
  for (; column < line.length; column += 1) {
    const character = line[column];
    if (character === "-" && (line[column + 1] === " " || column + 1 === line.length)) dashes.push(column);
    else if (character !== " ") break;
  }
  return { dashes, column, rest: line.slice(column) };
}

function parentPath(above: readonly string[], current: Line): FieldPath {
  const path: (string | number)[] = [];
  let column = current.column;
  for (const dash of [...current.dashes].reverse()) {
    path.unshift(0);
    column = dash;
  }
  // A dash may stand in the column of its parent's key.
  let isListItem = current.dashes.length > 0;
  for (let index = above.length - 1; index >= 0 && (column > 0 || isListItem); index -= 1) {
    const line = readLine(above[index] ?? "");
    const key = KEY.exec(line.rest)?.[1];
    if (line.rest === "" || line.rest.startsWith("#")) continue;
    const isAbove = isListItem ? line.column <= column && line.dashes.length === 0 : line.column < column;
    const isOwnItem = !isListItem && line.column === column && line.dashes.length > 0;
    if (isAbove && key !== undefined) {
      path.unshift(unquoted(key));
      column = line.column;
      isListItem = false;
    }
    if ((isAbove || isOwnItem) && line.dashes.length > 0) {
      for (const dash of [...line.dashes].reverse()) {
        path.unshift(0);
        column = dash;
      }
      isListItem = true;
    } else if (isListItem && line.dashes.length > 0 && line.column <= column) {
      column = Math.min(column, line.dashes[0] ?? column);
    }
  }
  return path;
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
