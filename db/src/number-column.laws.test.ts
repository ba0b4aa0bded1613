import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { readNumbers, writeCounts, writeFloats, writeNear } from "./number-column.ts";

const float = fc.float({ noNaN: true });
const same = <T>(value: T) => value;

function readBack(write: (into: ByteWriter) => void, count: number, guesses: readonly Float32Array[] = []) {
  const into = new ByteWriter();
  write(into);
  return {
    values: readNumbers(new ByteReader(into.written()), count, guesses),
    bytes: into.written().length,
  };
}

test("counts of any size, known or not, read back exactly", () => {
  const most = fc.constantFrom(1, 15, 1000, 2 ** 22 - 1, 2 ** 22, 2 ** 31, Number.MAX_SAFE_INTEGER);
  const column = most.chain((max) => fc.array(fc.option(fc.integer({ min: 0, max })), { maxLength: 40 }));
  fc.assert(
    fc.property(column, (counts) => {
      expect(readBack((into) => writeCounts(into, counts, same), counts.length).values).toEqual(counts);
    }),
  );
});

test("32-bit floats, many of them zero, read back exactly", () => {
  const sparse = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, -0) }, { weight: 2, arbitrary: float });
  fc.assert(
    fc.property(fc.array(fc.option(sparse), { maxLength: 40 }), (floats) => {
      expect(readBack((into) => writeFloats(into, floats, same), floats.length).values).toEqual(floats);
    }),
  );
});

test("floats near a guess read back exactly, and take a byte each", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(float, fc.integer({ min: -100, max: 100 })), { minLength: 20, maxLength: 40 }),
      (pairs) => {
        const guess = Float32Array.from(pairs, ([value]) => value);
        const near = pairs.map(([value, steps]) => Math.fround(value * (1 + steps * 2 ** -24)));
        const read = readBack((into) => writeNear(into, near, same, [guess]), near.length, [guess]);
        expect(read.values).toEqual(near);
        expect(read.bytes).toBeLessThanOrEqual(2 + near.length);
      },
    ),
  );
});

test("floats far from every guess read back exactly too", () => {
  fc.assert(
    fc.property(
      fc.array(float, { minLength: 1, maxLength: 20 }),
      fc.array(float, { minLength: 20, maxLength: 20 }),
      (floats, other) => {
        const guesses = [Float32Array.from(other)];
        expect(
          readBack((into) => writeNear(into, floats, same, guesses), floats.length, guesses).values,
        ).toEqual(floats);
      },
    ),
  );
});
