import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeDecisionDetail, encodeDecisionDetail } from "./decision-detail.ts";
import { anyDecisionRecord } from "./decision-record-arbitrary.ts";

test("a detail reads back as it was written", () => {
  fc.assert(
    fc.property(anyDecisionRecord(40), ({ decision, attempts }) => {
      const { candidates, filtered } = decision;
      const ids = [...candidates, ...filtered, ...attempts].map((each) => each.replica);
      const bytes = encodeDecisionDetail(
        { candidates, filtered, attempts },
        (replica) => 7 * ids.indexOf(replica),
      );
      const positioned = <T extends { replica: string }>({ replica, ...rest }: T) => ({
        position: 7 * ids.indexOf(replica),
        ...rest,
      });
      expect(decodeDecisionDetail(bytes)).toEqual({
        candidates: candidates.map(positioned),
        filtered: filtered.map(positioned),
        attempts: attempts.map(positioned),
      });
    }),
    { numRuns: 500 },
  );
});

test("candidates of unequal numbers of terms keep their own", () => {
  const candidate = {
    replica: "r",
    cost: 3,
    predictedTtftMs: 1,
    cachedTokens: 0,
    inFlight: 0,
    queueDepth: null,
    running: null,
    kvOccupancy: null,
    signalAgeMs: null,
    notes: [],
  };
  const terms = [[1, 2], [], [3]];
  const candidates = terms.map((each) => ({ ...candidate, terms: each }));
  const bytes = encodeDecisionDetail({ candidates, filtered: [], attempts: [] }, () => 0);
  expect(decodeDecisionDetail(bytes).candidates.map((each) => each.terms)).toEqual(terms);
});

test("a detail of a later release is refused with both versions named", () => {
  expect(() => decodeDecisionDetail(new Uint8Array([9, 0, 0, 0]))).toThrow("version 9; this release reads 1");
});
