import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeDecisionDetail, encodeDecisionDetail } from "./decision-detail.ts";
import { anyDecisionRecord } from "./decision-record-arbitrary.ts";

test("a detail reads back as it was written", () => {
  fc.assert(
    fc.property(anyDecisionRecord(40), ({ decision, attempts }) => {
      const detail = {
        candidates: decision.candidates.map(({ replica: _, ...candidate }, position) => ({
          position,
          ...candidate,
        })),
        filtered: decision.filtered.map(({ reason }, i) => ({ position: 7 * i, reason })),
        attempts: attempts.map(({ replica: _, ...attempt }, i) => ({ position: 300 - i, ...attempt })),
      };
      expect(decodeDecisionDetail(encodeDecisionDetail(detail))).toEqual(detail);
    }),
    { numRuns: 500 },
  );
});

test("candidates of unequal numbers of terms keep their own", () => {
  const candidate = {
    position: 0,
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
  const detail = {
    candidates: [
      { ...candidate, terms: [1, 2] },
      { ...candidate, terms: [] },
      { ...candidate, terms: [3] },
    ],
    filtered: [],
    attempts: [],
  };
  expect(decodeDecisionDetail(encodeDecisionDetail(detail))).toEqual(detail);
});

test("a detail of a later release is refused with both versions named", () => {
  expect(() => decodeDecisionDetail(new Uint8Array([9, 0, 0, 0]))).toThrow("version 9; this release reads 1");
});
