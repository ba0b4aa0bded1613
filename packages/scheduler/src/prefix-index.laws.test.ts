import fc from "fast-check";
import { expect, test } from "vitest";
import { hashPrompt, type PrefixBlocks, prefixOfBlockIds } from "./prefix-blocks.ts";
import { PrefixIndex } from "./prefix-index.ts";

const SCOPE = { adapter: null, cacheSalt: null };
const SLOTS = 4;

function chain(ids: number[]): PrefixBlocks {
  return prefixOfBlockIds(ids, 16, 16 * ids.length, SCOPE);
}

function matchAll(index: PrefixIndex, prefix: PrefixBlocks): number[] {
  const into = new Uint32Array(SLOTS);
  index.match(prefix, into);
  return [...into];
}

/** The plain model: per replica a list of block keys, most recent first, cut at its capacity. */
class PlainIndex {
  readonly #lists: string[][] = Array.from({ length: SLOTS }, () => []);
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  insert(slot: number, prefix: PrefixBlocks): number {
    const matched = this.match(slot, prefix);
    const keys = Array.from({ length: prefix.count }, (_, i) => keyOf(prefix, i)).slice(0, this.#capacity);
    const rest = (this.#lists[slot] ?? []).filter((key) => !keys.includes(key));
    this.#lists[slot] = [...keys, ...rest].slice(0, this.#capacity);
    return Math.min(matched, keys.length);
  }

  match(slot: number, prefix: PrefixBlocks): number {
    const list = this.#lists[slot] ?? [];
    let depth = 0;
    while (depth < prefix.count && list.includes(keyOf(prefix, depth))) depth++;
    return depth;
  }
}

function keyOf(prefix: PrefixBlocks, block: number): string {
  return `${prefix.hashes[2 * block]}/${prefix.hashes[2 * block + 1]}`;
}

// Few ids, so that chains share prefixes and branch.
const ids = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 });
const step = fc.record({ slot: fc.nat(SLOTS - 1), ids });

test("the index answers as a plain list per replica would, under any order of dispatches and any capacity", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      ids,
      (steps, capacity, probe) => {
        const index = new PrefixIndex(1);
        const plain = new PlainIndex(capacity);
        for (let slot = 0; slot < SLOTS; slot++) index.setCapacity(slot, 16 * capacity);
        for (const each of steps) {
          expect(index.insert(each.slot, chain(each.ids), 16 * each.ids.length)).toBe(
            16 * plain.insert(each.slot, chain(each.ids)),
          );
        }
        const expected = Array.from({ length: SLOTS }, (_, slot) => plain.match(slot, chain(probe)));
        expect(matchAll(index, chain(probe))).toEqual(expected);
      },
    ),
    { numRuns: 150 },
  );
});

test("the byte cap holds however much is inserted, and what was sent last is still known", () => {
  const cap = 300 * 1024;
  const index = new PrefixIndex(cap);
  for (let i = 0; i < 3000; i++) {
    const prefix = hashPrompt([`${i} `.repeat(1000)], SCOPE);
    index.insert(i % SLOTS, prefix, 500);
    expect(index.bytes).toBeLessThanOrEqual(cap);
    expect(matchAll(index, prefix)[i % SLOTS]).toBe(prefix.count);
  }
});

test("a full index takes at most 64 bytes per block", () => {
  const index = new PrefixIndex(8 * 1024 * 1024);
  for (let i = 0; i < 4000; i++) index.insert(i % SLOTS, hashPrompt([`${i} `.repeat(2500)], SCOPE), 3000);
  expect(index.bytes / index.blocks).toBeLessThanOrEqual(64);
});

test("a prompt longer than a replica's capacity keeps its leading blocks", () => {
  const index = new PrefixIndex(1);
  index.setCapacity(0, 3 * 16);
  index.insert(0, chain([1, 2, 3, 4, 5]), 80);
  expect(matchAll(index, chain([1, 2, 3, 4, 5]))[0]).toBe(3);
});

test("a cleared replica holds nothing, and the others keep theirs", () => {
  const index = new PrefixIndex(1);
  index.insert(0, chain([1, 2]), 32);
  index.insert(1, chain([1, 2, 3]), 48);
  index.clear(0);
  expect(matchAll(index, chain([1, 2, 3]))).toEqual([0, 3, 0, 0]);
  expect(index.blocks).toBe(3);
});

test("blocks that open requests use outlive others, count once however many share them, and age from their release", () => {
  const index = new PrefixIndex(1);
  index.setCapacity(0, 4 * 16);
  for (const tail of [3, 4]) {
    index.insert(0, chain([1, 2, tail]), 48);
    index.use(0, chain([1, 2, tail]));
  }
  expect(index.usedTokens(0)).toBe(4 * 16);
  expect(index.usedTokensOf(0, chain([1, 2, 9]), 48)).toBe(32);
  index.insert(0, chain([7, 8]), 32);
  expect(matchAll(index, chain([1, 2, 3]))[0]).toBe(3);
  expect(matchAll(index, chain([7, 8]))[0]).toBe(0);
  index.release(0, chain([1, 2, 3]));
  expect(index.usedTokens(0)).toBe(3 * 16);
  index.insert(0, chain([7]), 16);
  expect(matchAll(index, chain([1, 2, 3]))[0]).toBe(2);
  expect(matchAll(index, chain([7]))[0]).toBe(1);
});

test("whatever is sent, used and released, a replica holds leading runs only and uses nothing once all is over", () => {
  const open = fc.array(fc.record({ ids, isReleased: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(open, fc.integer({ min: 1, max: 12 }), ids, (steps, capacity, probe) => {
      const index = new PrefixIndex(1);
      index.setCapacity(0, 16 * capacity);
      const used: number[][] = [];
      for (const each of steps) {
        index.insert(0, chain(each.ids), 16 * each.ids.length);
        index.use(0, chain(each.ids));
        if (each.isReleased) index.release(0, chain(each.ids));
        else used.push(each.ids);
        expect(index.usedTokens(0)).toBeLessThanOrEqual(index.heldTokens(0));
      }
      for (const each of used) index.release(0, chain(each));
      expect(index.usedTokens(0)).toBe(0);
      expect(matchAll(index, chain(probe))[0]).toBeLessThanOrEqual(probe.length);
    }),
    { numRuns: 150 },
  );
});
