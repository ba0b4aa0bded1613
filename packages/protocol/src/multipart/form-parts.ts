import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";

/** One part of a multipart/form-data body. */
export interface FormPart {
  readonly name: string;
  readonly isFile: boolean;
  /** The bytes of its content. */
  readonly start: number;
  readonly end: number;
}

export type FormParts =
  | { readonly ok: true; readonly parts: readonly FormPart[] }
  | { readonly ok: false; readonly message: string };

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
/** Far more fields than any audio route has, and a bound on what a hostile body costs. */
const MAX_PARTS = 100;
const MAX_HEADER_BYTES = 16_384;

/**
 * The boundary of a multipart/form-data content type; null for any other type or none.
 * @param contentType the header's value
 */
export function formBoundary(contentType: string): string | null {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) {
    return null;
  }
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Finds the parts of a form where they lie; contents are neither copied nor decoded. */
export function readFormParts(body: Uint8Array, boundary: string): FormParts {
  const delimiter = Uint8Array.from(`--${boundary}`, (character) => character.charCodeAt(0));
  const parts: FormPart[] = [];
  let at = firstDelimiter(body, delimiter);
  while (at !== -1) {
    if (body[at] === DASH && body[at + 1] === DASH) {
      return { ok: true, parts };
    }
    const headersStart = skipLine(body, at);
    const headersEnd = headersStart === -1 ? -1 : endOfHeaders(body, headersStart);
    if (headersEnd === -1) {
      return { ok: false, message: "A part of the form has no complete headers." };
    }
    const next = nextDelimiter(body, delimiter, headersEnd - 2);
    if (next === -1) {
      return { ok: false, message: "The form ends before its closing boundary." };
    }
    const part = describePart(body, headersStart, headersEnd, next - delimiter.length - 2);
    if (part !== null) {
      parts.push(part);
    }
    if (parts.length > MAX_PARTS) {
      return { ok: false, message: `The form has more than ${MAX_PARTS} parts.` };
    }
    at = next;
  }
  return { ok: false, message: "The form does not contain its boundary." };
}

/** Position after the first delimiter, which starts the body or a line. */
function firstDelimiter(body: Uint8Array, delimiter: Uint8Array): number {
  return startsWithAt(body, delimiter, 0) ? delimiter.length : nextDelimiter(body, delimiter, 0);
}

/** Position after the next delimiter that starts a line, searching for its line end from `from` on. */
function nextDelimiter(body: Uint8Array, delimiter: Uint8Array, from: number): number {
  for (let at = body.indexOf(CR, from); at !== -1; at = body.indexOf(CR, at + 1)) {
    if (body[at + 1] === LF && startsWithAt(body, delimiter, at + 2)) {
      const after = at + 2 + delimiter.length;
      // A longer line that begins alike is content.
      if (body[after] === DASH || body[after] === CR || body[after] === 0x20 || body[after] === 0x09) {
        return after;
      }
    }
  }
  return -1;
}

function startsWithAt(body: Uint8Array, prefix: Uint8Array, at: number): boolean {
  for (let i = 0; i < prefix.length; i++) {
    if (body[at + i] !== prefix[i]) {
      return false;
    }
  }
  return true;
}

function skipLine(body: Uint8Array, from: number): number {
  const end = body.indexOf(LF, from);
  return end === -1 ? -1 : end + 1;
}

/** Position after the empty line that closes a part's headers. */
function endOfHeaders(body: Uint8Array, from: number): number {
  if (body[from] === CR && body[from + 1] === LF) {
    return from + 2;
  }
  for (
    let at = body.indexOf(CR, from);
    at !== -1 && at - from < MAX_HEADER_BYTES;
    at = body.indexOf(CR, at + 1)
  ) {
    if (body[at + 1] === LF && body[at + 2] === CR && body[at + 3] === LF) {
      return at + 4;
    }
  }
  return -1;
}

function describePart(body: Uint8Array, headersStart: number, start: number, end: number): FormPart | null {
  const headers = decodeUtf8Lenient(body.subarray(headersStart, start));
  const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/im.exec(headers)?.[1] ?? "";
  const name = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition);
  if (name === null) {
    return null;
  }
  return {
    name: name[1]?.replaceAll(/\\(.)/g, "$1") ?? name[2] ?? "",
    isFile: /;\s*filename\*?=/i.test(disposition),
    start,
    // A part without content may share its empty line with the delimiter.
    end: Math.max(start, end),
  };
}
