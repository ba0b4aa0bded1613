import { type CST, Lexer, Parser } from "yaml";

/** Longest text taken, characters. */
export const MAX_SOURCE_LENGTH = 1_000_000;
/** Levels of maps and lists within each other; a policy needs fewer than ten. */
const MAX_DEPTH = 64;
/** Fields of one map: the library compares each with all others. */
const MAX_FIELDS = 1000;

/** Where a text goes beyond what is read, as an offset, and what to do about it. */
export interface BoundFault {
  readonly at: number;
  readonly message: string;
}

/**
 * Whether a text is too long, too deep or too wide to build a document from: building one takes stack and time out of
 * proportion. Null when it is not. Reads tokens one by one and stops at the first one too many.
 */
export function boundFault(text: string): BoundFault | null {
  if (text.length > MAX_SOURCE_LENGTH) {
    const message = `The text has ${text.length} characters; at most ${MAX_SOURCE_LENGTH} are read.`;
    return { at: MAX_SOURCE_LENGTH, message };
  }
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    // What the parser hands out is a finished document: only how it grows is of interest.
    for (const _ of parser.next(lexeme));
    // One entry of the stack is the document itself.
    if (parser.stack.length - 1 > MAX_DEPTH) {
      return {
        at: offset,
        message: `Nested deeper than ${MAX_DEPTH} levels: a policy needs fewer than ten.`,
      };
    }
    if (fieldsOf(parser.stack.at(-1)) > MAX_FIELDS) {
      return { at: offset, message: `More than ${MAX_FIELDS} fields in one map.` };
    }
  }
  return null;
}

function fieldsOf(token: CST.Token | undefined): number {
  if (token?.type === "block-map") return token.items.length;
  return token?.type === "flow-collection" && token.start.type === "flow-map-start" ? token.items.length : 0;
}
