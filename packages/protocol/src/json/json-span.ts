/** An array or object that is left as it was written: checked for structure, never built. */
export class JsonSpan {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly isArray: boolean;
  readonly isEmpty: boolean;

  constructor(
    bytes: Uint8Array,
    range: { readonly start: number; readonly end: number },
    shape: { readonly isArray: boolean; readonly isEmpty: boolean },
  ) {
    this.bytes = bytes;
    this.start = range.start;
    this.end = range.end;
    this.isArray = shape.isArray;
    this.isEmpty = shape.isEmpty;
  }
}
