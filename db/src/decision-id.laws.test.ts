import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decisionId,
  decisionIdFromUuid,
  decisionIdTimeMs,
  decisionIdToUuid,
  decisionUuidAt,
  isDecisionId,
} from "./decision-id.ts";

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

test("an id holds its time and survives the way through a UUID", () => {
  fc.assert(
    fc.property(time, random, (timeMs, bytes) => {
      const id = decisionId(timeMs, bytes);
      expect(isDecisionId(id)).toBe(true);
      expect(id).toHaveLength(30);
      expect(decisionIdTimeMs(id)).toBe(timeMs);
      expect(decisionIdFromUuid(decisionIdToUuid(id))).toBe(id);
    }),
  );
});

test("ids, and the UUIDs that store them, sort by time", () => {
  fc.assert(
    fc.property(time, time, random, random, (a, b, bytesA, bytesB) => {
      fc.pre(a < b);
      const [earlier, later] = [decisionId(a, bytesA), decisionId(b, bytesB)];
      expect(earlier < later).toBe(true);
      expect(decisionIdToUuid(earlier) < decisionIdToUuid(later)).toBe(true);
      expect(decisionUuidAt(b) <= decisionIdToUuid(later)).toBe(true);
      expect(decisionUuidAt(b) > decisionIdToUuid(earlier)).toBe(true);
    }),
  );
});

test("what is not an id is refused", () => {
  expect(isDecisionId("dec_")).toBe(false);
  expect(isDecisionId(`dec_${"8".repeat(26)}`)).toBe(false);
  expect(() => decisionIdTimeMs("dec_not-an-id")).toThrow("not a decision id");
  expect(() => decisionIdFromUuid("x")).toThrow("not a UUID");
  expect(() => decisionId(2 ** 48, new Uint8Array(10))).toThrow("does not fit 48 bits");
  expect(() => decisionId(0, new Uint8Array(9))).toThrow("takes 10 random bytes");
});
