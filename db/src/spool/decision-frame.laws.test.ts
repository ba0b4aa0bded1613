import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDecisionRecord } from "../decision-record-arbitrary.ts";
import { readDecisionFrame, writeDecision } from "./decision-frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";

test("records packed together read back exactly", () => {
  fc.assert(
    fc.property(fc.array(anyDecisionRecord(), { maxLength: 6 }), (records) => {
      const into = new FrameWriter();
      for (const record of records) writeDecision(into, record);
      const from = new FrameReader(into.take());
      expect(records.map(() => readDecisionFrame(from))).toEqual(records);
      expect(from.isAtEnd).toBe(true);
    }),
  );
});

test("a record that cannot be packed leaves those before and after it whole", () => {
  fc.assert(
    fc.property(anyDecisionRecord(), anyDecisionRecord(), anyDecisionRecord(), (before, broken, after) => {
      const into = new FrameWriter();
      into.attempt(() => writeDecision(into, before));
      const withoutCandidates = { ...broken, decision: { ...broken.decision, candidates: undefined } };
      // Cast: what a caller without types could hand over.
      expect(() => into.attempt(() => writeDecision(into, withoutCandidates as never))).toThrow(TypeError);
      into.attempt(() => writeDecision(into, after));
      const from = new FrameReader(into.take());
      expect([readDecisionFrame(from), readDecisionFrame(from)]).toEqual([before, after]);
      expect(from.isAtEnd).toBe(true);
    }),
  );
});
