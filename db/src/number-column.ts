import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** How the values of a column are written: the low bits of its first byte. */
const NONE = 0;
const VARINT = 1;
const FLOAT32 = 2;
const FLOAT64 = 3;
const NEAR = 4;
/** Whole numbers in as many bits each as the largest needs. */
const PACKED = 5;
const MOST_PACKED_BITS = 22;
const KIND = 7;
/** Flags beside the kind: a bitmap of the known values comes first; all known values are the same and written once. */
const HAS_NULLS = 8;
const ALL_SAME = 16;
/** A bitmap of the values that are not zero comes next, and only those are written. */
const HAS_ZEROS = 32;

/** The column at hand. Reused: writing one is synchronous, and at hundreds of columns a millisecond arrays cost more than the work. */
let values = new Float64Array(64);
let known = new Uint8Array(64);

/** Writes measured or computed numbers, rounded to 32-bit floats. */
export function writeFloats<T>(
  into: ByteWriter,
  items: readonly T[],
  read: (item: T) => number | null,
): void {
  reserve(items.length);
  for (let i = 0; i < items.length; i++) load(i, read(itemAt(items, i)), true);
  writeLoaded(into, items.length, FLOAT32);
}

/** Writes counts, exactly. */
export function writeCounts<T>(
  into: ByteWriter,
  items: readonly T[],
  read: (item: T) => number | null,
): void {
  reserve(items.length);
  for (let i = 0; i < items.length; i++) load(i, read(itemAt(items, i)), false);
  writeLoaded(into, items.length, FLOAT64);
}

/**
 * Writes numbers that are expected to be close to others the reader has already, as a cost is to the sum of its terms:
 * one byte each instead of four when they are within 127 steps of a 32-bit float. `guesses` are tried in order.
 */
export function writeNear<T>(
  into: ByteWriter,
  items: readonly T[],
  read: (item: T) => number,
  guesses: readonly Float32Array[],
): void {
  reserve(items.length);
  for (let i = 0; i < items.length; i++) load(i, read(itemAt(items, i)), true);
  for (let index = 0; index < guesses.length && index < 256; index++) {
    const guess = guesses[index];
    if (guess && writeSteps(into, items.length, guess, index)) return;
  }
  writeLoaded(into, items.length, FLOAT32);
}

/** Reads `count` values written by any of the functions above. */
export function readNumbers(
  from: ByteReader,
  count: number,
  guesses: readonly Float32Array[] = [],
): (number | null)[] {
  const header = from.byte();
  const kind = header & KIND;
  if (kind === NONE) return new Array<null>(count).fill(null);
  if (kind === NEAR) return readSteps(from, count, guesses, (header & ALL_SAME) !== 0);
  const isKnown = header & HAS_NULLS ? readBitmap(from, count) : null;
  const isNonZero = header & HAS_ZEROS ? readBitmap(from, count) : null;
  const read = () => {
    if (kind === VARINT) return from.varint();
    return kind === FLOAT32 ? from.float32() : from.float64();
  };
  const constant = header & ALL_SAME ? read() : null;
  if (kind === PACKED) return readPacked(from, count, isKnown);
  return Array.from({ length: count }, (_, i) => {
    if (isKnown && !isKnown[i]) return null;
    if (isNonZero && !isNonZero[i]) return 0;
    return constant ?? read();
  });
}

function reserve(count: number): void {
  if (count <= values.length) return;
  values = new Float64Array(count * 2);
  known = new Uint8Array(count * 2);
}

function load(i: number, value: number | null, isFloat: boolean): void {
  known[i] = value === null ? 0 : 1;
  values[i] = value === null ? 0 : isFloat ? Math.fround(value) : value;
}

function writeLoaded(into: ByteWriter, count: number, wide: typeof FLOAT32 | typeof FLOAT64): void {
  let knownCount = 0;
  let zeros = 0;
  let areCounts = true;
  let areSame = true;
  let first = 0;
  let largest = 0;
  let varintBytes = 0;
  for (let i = 0; i < count; i++) {
    if (!known[i]) continue;
    const value = valueAt(i);
    if (knownCount++ === 0) first = value;
    else if (!Object.is(value, first)) areSame = false;
    if (Object.is(value, 0)) zeros++;
    else if (!(Number.isSafeInteger(value) && value > 0)) areCounts = false;
    if (value > largest) largest = value;
    varintBytes += varintLength(value);
  }
  if (knownCount === 0) {
    into.byte(NONE);
    return;
  }
  const bits = bitsOf(largest);
  const isPacked =
    areCounts && !areSame && bits <= MOST_PACKED_BITS && 8 + knownCount * bits < 8 * varintBytes;
  const kind = isPacked ? PACKED : areCounts ? VARINT : wide;
  const hasNulls = knownCount < count;
  const hasZeros = !areCounts && !areSame && zeros * 4 > Math.ceil(count / 8);
  into.byte(kind | (hasNulls ? HAS_NULLS : 0) | (areSame ? ALL_SAME : 0) | (hasZeros ? HAS_ZEROS : 0));
  if (hasNulls) writeBitmap(into, count, (i) => known[i] === 1);
  if (hasZeros) writeBitmap(into, count, (i) => known[i] === 1 && !Object.is(valueAt(i), 0));
  if (areSame) {
    writeOne(into, kind, first);
    return;
  }
  if (isPacked) {
    writePacked(into, count, bits);
    return;
  }
  for (let i = 0; i < count; i++) {
    if (!known[i]) continue;
    const value = valueAt(i);
    if (hasZeros && Object.is(value, 0)) continue;
    writeOne(into, kind, value);
  }
}

function writeOne(into: ByteWriter, kind: number, value: number): void {
  if (kind === VARINT) into.varint(value);
  else if (kind === FLOAT32) into.float32(value);
  else into.float64(value);
}

function writePacked(into: ByteWriter, count: number, bits: number): void {
  into.byte(bits);
  let pending = 0;
  let pendingBits = 0;
  for (let i = 0; i < count; i++) {
    if (!known[i]) continue;
    pending |= valueAt(i) << pendingBits;
    pendingBits += bits;
    for (; pendingBits >= 8; pendingBits -= 8) {
      into.byte(pending & 255);
      pending >>>= 8;
    }
  }
  if (pendingBits > 0) into.byte(pending & 255);
}

function readPacked(from: ByteReader, count: number, isKnown: readonly boolean[] | null): (number | null)[] {
  const bits = from.byte();
  const mask = (1 << bits) - 1;
  let pending = 0;
  let pendingBits = 0;
  return Array.from({ length: count }, (_, i) => {
    if (isKnown && !isKnown[i]) return null;
    for (; pendingBits < bits; pendingBits += 8) pending |= from.byte() << pendingBits;
    const value = pending & mask;
    pending >>>= bits;
    pendingBits -= bits;
    return value;
  });
}

function bitsOf(count: number): number {
  return count < 2 ** 31 ? 32 - Math.clz32(count) : 53;
}

function varintLength(count: number): number {
  if (count < 128) return 1;
  if (count < 16_384) return 2;
  return count < 2_097_152 ? 3 : 8;
}

/** Writes the loaded values as steps from the guess; false, and nothing, when one is too far. */
function writeSteps(into: ByteWriter, count: number, guess: Float32Array, index: number): boolean {
  let areSame = true;
  let first = 0;
  for (let i = 0; i < count; i++) {
    const step = stepOf(valueAt(i)) - stepOf(guess[i] ?? 0);
    if (step < -127 || step > 127) return false;
    if (i === 0) first = step;
    else if (step !== first) areSame = false;
  }
  into.byte(NEAR | (areSame ? ALL_SAME : 0));
  into.byte(index);
  if (areSame) into.byte(first + 127);
  else for (let i = 0; i < count; i++) into.byte(stepOf(valueAt(i)) - stepOf(guess[i] ?? 0) + 127);
  return true;
}

function readSteps(
  from: ByteReader,
  count: number,
  guesses: readonly Float32Array[],
  same: boolean,
): number[] {
  const guess = guesses[from.byte()];
  const constant = same ? from.byte() : null;
  return Array.from({ length: count }, (_, i) =>
    fromStep(stepOf(guess?.[i] ?? 0) + (constant ?? from.byte()) - 127),
  );
}

function writeBitmap(into: ByteWriter, count: number, isSet: (i: number) => boolean): void {
  for (let i = 0; i < count; i += 8) {
    let bits = 0;
    for (let j = 0; j < 8 && i + j < count; j++) if (isSet(i + j)) bits |= 1 << j;
    into.byte(bits);
  }
}

function readBitmap(from: ByteReader, count: number): boolean[] {
  const set: boolean[] = [];
  for (let i = 0; i < count; i += 8) {
    const bits = from.byte();
    for (let j = 0; j < 8 && i + j < count; j++) set.push((bits & (1 << j)) !== 0);
  }
  return set;
}

/** In bounds by its callers' loops, which the type of an array cannot say. */
function valueAt(i: number): number {
  return values[i] ?? 0;
}

function itemAt<T>(items: readonly T[], i: number): T {
  return items[i] as T; // Cast: the callers' loops stay within the length; a check per number would double the work.
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
