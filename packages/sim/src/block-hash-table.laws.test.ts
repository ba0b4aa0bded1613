import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockHashTable } from "./block-hash-table.ts";

test("finds exactly what a Map would, through any sequence of additions and removals", () => {
  const hash = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(2 ** 40, 2 ** 52 + 1, -(2 ** 33)));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), hash), { maxLength: 300 }), (operations) => {
      const table = new BlockHashTable(120);
      const model = new Map<number, number>();
      for (const [index, [isAdd, key]] of operations.entries()) {
        if (isAdd && !model.has(key)) {
          table.add(key, index);
          model.set(key, index);
        } else if (!isAdd) {
          table.delete(key);
          model.delete(key);
        }
        expect(table.size).toBe(model.size);
      }
      for (const [, key] of operations) expect(table.find(key)).toBe(model.get(key) ?? -1);
    }),
  );
});
