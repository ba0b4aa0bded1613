import fc from "fast-check";
import { expect, test } from "vitest";
import { KvBlocks } from "./kv-blocks.ts";

const operations = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("take" as const),
      blocks: fc.integer({ min: 1, max: 6 }),
      hash: fc.nat(40),
    }),
    fc.record({ kind: fc.constant("release" as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant("share" as const), hash: fc.nat(60) }),
  ),
  { maxLength: 200 },
);

test("blocks are conserved: free plus held is the capacity, whatever is taken, shared and released", () => {
  fc.assert(
    fc.property(operations, (list) => {
      const kv = new KvBlocks(16);
      const held: number[][] = [];
      for (const operation of list) {
        if (operation.kind === "take" && kv.free >= operation.blocks) {
          const blocks = Array.from({ length: operation.blocks }, () => kv.allocate());
          for (const [index, block] of blocks.entries()) kv.name(block, operation.hash + index);
          held.push(blocks);
        } else if (operation.kind === "release" && held.length > 0) {
          kv.release(held.splice(operation.which % held.length, 1)[0] ?? []);
        } else if (operation.kind === "share") {
          const block = kv.find(operation.hash);
          if (block < 0) continue;
          kv.share(block);
          held.push([block]);
        }
        const distinct = new Set(held.flat());
        expect(kv.free + distinct.size).toBe(kv.capacity);
        expect(kv.occupancy).toBeCloseTo(distinct.size / kv.capacity);
      }
      for (const blocks of held) kv.release(blocks);
      expect(kv.free).toBe(kv.capacity);
    }),
  );
});

test("a hash is found until its block is handed out again, and never after", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }), (named, taken) => {
      const kv = new KvBlocks(12);
      const blocks = Array.from({ length: named }, () => kv.allocate());
      for (const [index, block] of blocks.entries()) kv.name(block, 100 + index);
      kv.release(blocks);
      for (let i = 0; i < taken; i += 1) kv.allocate();
      // Unnamed blocks are older in the free list; then the named ones go, the tail of the sequence first.
      const lost = Math.max(0, taken - (12 - named));
      for (let index = 0; index < named; index += 1) {
        expect(kv.find(100 + index) >= 0).toBe(index < named - lost);
      }
    }),
  );
});
