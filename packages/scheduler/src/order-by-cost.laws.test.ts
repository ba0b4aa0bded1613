import fc from "fast-check";
import { expect, test } from "vitest";
import { orderByCost } from "./order-by-cost.ts";

test("indexes come in order of cost, each once, equal costs in their own order", () => {
  const cost = fc.oneof(fc.nat(5), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(cost, { maxLength: 200 }), (costs) => {
      const expected = costs
        .map((_, index) => index)
        .sort((x, y) => (costs[x] ?? 0) - (costs[y] ?? 0) || x - y);
      expect([...orderByCost(Float64Array.from(costs))]).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
