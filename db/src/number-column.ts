import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** How the values of a column are written: the low bits of its first byte. */
const NONE = 0;
const VARINT = 1;
const FLOAT32 = 2;
const FLOAT64 = 3;
const NEAR = 4;
/** Flags beside it: a bitmap of which values are known comes first; all known values are the same and written once. */
const HAS_NULLS = 8;
const ALL_SAME = 16;

/** Writes measured or computed numbers: whole ones below 2^24 exactly, all others rounded to 32 bits. */
export function writeFloats(into: ByteWriter, values: readonly (number | null)[]): void {
  write(
    into,
    values.map((value) => (value === null ? null : Math.fround(value))),
    FLOAT32,
  );
}

/** Writes counts, exactly. */
export function writeCounts(into: ByteWriter, values: readonly (number | null)[]): void {
  write(into, values, FLOAT64);
}

/**
 * Writes numbers that are expected to be close to others the reader has already, as a cost is to the sum of its terms:
 * one byte each instead of four when they are within 127 steps of a 32-bit float. `guesses` are tried in order.
 */
export function writeNear(
  into: ByteWriter,
  values: readonly number[],
  guesses: readonly (readonly number[])[],
): void {
  if (values.length > 0 && guesses.length < 256) {
    for (const [index, guess] of guesses.entries()) {
      const steps = values.map((value, i) => stepOf(value) - stepOf(guess[i] ?? 0));
      if (!steps.every((step) => step >= -127 && step <= 127)) continue;
      const same = steps.every((step) => step === steps[0]);
      into.byte(NEAR | (same ? ALL_SAME : 0));
      into.byte(index);
      for (const step of same ? steps.slice(0, 1) : steps) into.byte(step + 127);
      return;
    }
  }
  writeFloats(into, values);
}

/** Reads `count` values written by any of the functions above. */
export function readNumbers(
  from: ByteReader,
  count: number,
  guesses: readonly (readonly number[])[] = [],
): (number | null)[] {
  const header = from.byte();
  const kind = header & 7;
  if (kind === NONE) return new Array<null>(count).fill(null);
  if (kind === NEAR) return readNear(from, count, guesses, (header & ALL_SAME) !== 0);
  const known = header & HAS_NULLS ? readBitmap(from, count) : null;
  const read = () => {
    if (kind === VARINT) return from.varint();
    return kind === FLOAT32 ? from.float32() : from.float64();
  };
  const constant = header & ALL_SAME ? read() : null;
  return Array.from({ length: count }, (_, i) => (known && !known[i] ? null : (constant ?? read())));
}

function write(
  into: ByteWriter,
  values: readonly (number | null)[],
  wide: typeof FLOAT32 | typeof FLOAT64,
): void {
  const known = values.filter((value) => value !== null);
  const first = known[0];
  if (first === undefined) {
    into.byte(NONE);
    return;
  }
  const kind = known.every(isCount) ? VARINT : wide;
  const same = known.every((value) => Object.is(value, first));
  into.byte(kind | (known.length < values.length ? HAS_NULLS : 0) | (same ? ALL_SAME : 0));
  if (known.length < values.length) writeBitmap(into, values);
  for (const value of same ? [first] : known) {
    if (kind === VARINT) into.varint(value);
    else if (kind === FLOAT32) into.float32(value);
    else into.float64(value);
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
}

function readNear(
  from: ByteReader,
  count: number,
  guesses: readonly (readonly number[])[],
  same: boolean,
): number[] {
  const guess = guesses[from.byte()] ?? [];
  const constant = same ? from.byte() : null;
  return Array.from({ length: count }, (_, i) =>
    fromStep(stepOf(guess[i] ?? 0) + (constant ?? from.byte()) - 127),
  );
}

function writeBitmap(into: ByteWriter, values: readonly (number | null)[]): void {
  for (let i = 0; i < values.length; i += 8) {
    let bits = 0;
    for (let j = 0; j < 8; j++) if ((values[i + j] ?? null) !== null) bits |= 1 << j;
    into.byte(bits);
  }
}

function readBitmap(from: ByteReader, count: number): boolean[] {
  const known: boolean[] = [];
  for (let i = 0; i < count; i += 8) {
    const bits = from.byte();
    for (let j = 0; j < 8 && i + j < count; j++) known.push((bits & (1 << j)) !== 0);
  }
  return known;
}

const scratch = new DataView(new ArrayBuffer(4));

/** Numbers all 32-bit floats in order, so that a difference counts the floats in between. */
function stepOf(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getInt32(0);
  return bits >= 0 ? bits : -(bits & 0x7fffffff) - 1;
}

function fromStep(step: number): number {
  scratch.setInt32(0, step >= 0 ? step : (-step - 1) | -0x80000000);
  return scratch.getFloat32(0);
}
