import fc from "fast-check";
import { expect, test } from "vitest";
import { rank } from "./candidate.ts";
import type { Candidate } from "./decision.ts";
import { textHash } from "./hash.ts";

function candidate(replica: string, cost: number): Candidate {
  return {
    replica,
    cost,
    terms: [cost],
    predictedTtftMs: 0,
    cachedTokens: 0,
    inFlight: 0,
    queueDepth: null,
    running: null,
    kvOccupancy: null,
    signalAgeMs: null,
    notes: [],
  };
}

test("candidates rank by cost, then in the drawn order of their ids, wherever they stood and however many tie", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 60 }),
      fc.infiniteStream(fc.nat(2)),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (ids, costs, drawn) => {
        const candidates = ids.map((id) => candidate(id, costs.next().value ?? 0));
        const seed = Math.floor(drawn * 4294967296);
        const expected = candidates.toSorted(
          (x, y) =>
            x.cost - y.cost ||
            textHash(x.replica, seed) - textHash(y.replica, seed) ||
            (x.replica < y.replica ? -1 : 1),
        );
        expect(rank(candidates, () => drawn)).toEqual(expected);
        expect(rank(candidates.toReversed(), () => drawn)).toEqual(expected);
      },
    ),
  );
});
