import fc from "fast-check";
import { expect, test } from "vitest";
import {
  hashPrompt,
  type PrefixBlocks,
  type PromptPart,
  prefixOfBlockIds,
  tokensOfBlocks,
  unitsOfBlocks,
} from "./prefix-blocks.ts";

const SCOPE = { adapter: null, cacheSalt: null };

function leading(x: PrefixBlocks, y: PrefixBlocks): number {
  let blocks = 0;
  while (
    blocks < Math.min(x.count, y.count) &&
    x.hashes[2 * blocks] === y.hashes[2 * blocks] &&
    x.hashes[2 * blocks + 1] === y.hashes[2 * blocks + 1]
  ) {
    blocks++;
  }
  return blocks;
}

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 1500 });

test("prompts that continue one another share every full block of the shorter", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 4 }), (parts, more) => {
      const short = hashPrompt(parts, SCOPE);
      const long = hashPrompt([...parts, ...more], SCOPE);
      expect(leading(short, long)).toBe(short.count);
    }),
  );
});

test("a prompt that differs in one unit shares only the blocks before it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 600, maxLength: 2000 }), fc.nat(), (prompt, at) => {
      const place = at % prompt.length;
      const changed = `${prompt.slice(0, place)}\u0001${prompt.slice(place + 1)}`;
      fc.pre(changed !== prompt);
      const shared = leading(hashPrompt([prompt], SCOPE), hashPrompt([changed], SCOPE));
      expect(shared).toBe(Math.min(Math.floor(place / 256), Math.floor(prompt.length / 256)));
    }),
  );
});

/** A text as it lies in a body, at some offset. */
function asBytes(written: string, offset = 3): PromptPart {
  const bytes = Buffer.from(`${"{".repeat(offset)}${written}}`);
  return { bytes, start: offset, end: bytes.length - 1 };
}

test("prompts given as bytes share every full block of the shorter, wherever they lie in their bodies", () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 4 }),
      fc.array(text, { maxLength: 4 }),
      fc.nat(20),
      (parts, more, offset) => {
        const short = hashPrompt(["user", ...parts.map((part) => asBytes(part))], SCOPE);
        const long = hashPrompt(["user", ...[...parts, ...more].map((part) => asBytes(part, offset))], SCOPE);
        expect(leading(short, long)).toBe(short.count);
        expect(short.totalUnits).toBe(4 + Buffer.byteLength(parts.join("")));
      },
    ),
  );
});

test("a text that grows shares every full block of what it was", () => {
  fc.assert(
    fc.property(text, text, (start, more) => {
      const short = hashPrompt([asBytes(start)], SCOPE);
      expect(leading(short, hashPrompt([asBytes(start + more)], SCOPE))).toBe(short.count);
    }),
  );
});

test("bytes that differ in one place share only the blocks before it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 600, maxLength: 2000 }), fc.nat(), fc.nat(7), (prompt, at, bit) => {
      const bytes = Buffer.from(prompt);
      const changed = Buffer.from(bytes);
      const place = at % bytes.length;
      changed[place] = (bytes[place] ?? 0) ^ (1 << bit);
      const hash = (each: Buffer) => hashPrompt([{ bytes: each, start: 0, end: each.length }], SCOPE);
      const full = Math.floor(bytes.length / 256);
      expect(leading(hash(bytes), hash(changed))).toBe(Math.min(Math.floor(place / 256), full));
    }),
  );
});

test("no two of many blocks of bytes that differ in two places give the same 64 bits, nor half of them", () => {
  const seen = new Set<string>();
  const lanes = new Set<number | undefined>();
  const bytes = Buffer.alloc(256, "-");
  let count = 0;
  for (let i = 0; i < 128; i++) {
    for (let j = i + 1; j < 256; j += 3) {
      bytes[i] = 0x61;
      bytes[j] = 0x62;
      const { hashes } = hashPrompt([{ bytes, start: 0, end: 256 }], SCOPE);
      seen.add(`${hashes[0]}/${hashes[1]}`);
      lanes.add(hashes[0]);
      bytes.fill("-");
      count++;
    }
  }
  expect(seen.size).toBe(count);
  // Of n random 32-bit values about n²/2³³ meet: here 0.01.
  expect(lanes.size).toBeGreaterThanOrEqual(count - 1);
});

test("adapters and cache salts share nothing with each other or with the base model", () => {
  const prompt = "x".repeat(1000);
  const scopes = [
    { adapter: null, cacheSalt: null },
    { adapter: "a", cacheSalt: null },
    { adapter: "b", cacheSalt: null },
    { adapter: null, cacheSalt: "a" },
    { adapter: "a", cacheSalt: "a" },
  ];
  const first = scopes.map((scope) => {
    const { hashes } = hashPrompt([prompt], scope);
    return `${hashes[0]}/${hashes[1]}`;
  });
  expect(new Set(first).size).toBe(scopes.length);
});

test("token ids are hashed exactly, in blocks of 64", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200_000), { minLength: 200, maxLength: 400 }), fc.nat(199), (tokens, at) => {
      const changed = tokens.map((token, index) => (index === at ? token + 1 : token));
      const whole = hashPrompt([tokens], SCOPE);
      expect(whole.count).toBe(Math.floor(tokens.length / 64));
      expect(leading(whole, hashPrompt([Uint32Array.from(tokens)], SCOPE))).toBe(whole.count);
      expect(leading(whole, hashPrompt([changed], SCOPE))).toBe(Math.floor(at / 64));
    }),
  );
});

test("no two different short texts among many give the same 64 bits", () => {
  const seen = new Set<string>();
  for (let i = 0; i < 20_000; i++) {
    const { hashes } = hashPrompt([`${i}`.padEnd(256, "-")], SCOPE);
    seen.add(`${hashes[0]}/${hashes[1]}`);
  }
  expect(seen.size).toBe(20_000);
});

test("block lengths add up to the prompt, whatever its length", () => {
  for (const length of [0, 255, 256, 131_071, 131_072, 400_000, 4_000_000]) {
    const prefix = hashPrompt(["y".repeat(length)], SCOPE);
    const covered = unitsOfBlocks(prefix, prefix.count);
    expect(covered).toBeLessThanOrEqual(length);
    expect(unitsOfBlocks(prefix, prefix.count + 1)).toBeGreaterThan(length);
    expect(tokensOfBlocks(prefix, prefix.count, length / 4)).toBeLessThanOrEqual(length / 4);
  }
});

test("a four-megabyte prompt stays below four thousand blocks", () => {
  expect(hashPrompt(["z".repeat(4_000_000)], SCOPE).count).toBeLessThan(4000);
});

test("block ids share exactly their common leading ids, without the partial last block", () => {
  const one = prefixOfBlockIds([1, 2, 3, 4], 512, 2000, SCOPE);
  const other = prefixOfBlockIds([1, 2, 9, 4], 512, 2048, SCOPE);
  expect(one.count).toBe(3);
  expect(other.count).toBe(4);
  expect(leading(one, other)).toBe(2);
  expect(tokensOfBlocks(one, 2, 2000)).toBeCloseTo(1024);
});
