import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { locateValue, memberRanges } from "./locate-value.ts";

test("the located bytes parse to what JSON.parse finds under the key", () => {
  const key = fc.oneof(fc.constantFrom("usage", "model"), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.constantFrom(undefined, "\t"), (object, indent) => {
      const bytes = encodeUtf8(JSON.stringify(object, null, indent));
      for (const name of [...Object.keys(object), "usage"]) {
        const range = locateValue(bytes, name);
        const found =
          range === null ? undefined : JSON.parse(decodeUtf8(bytes.subarray(range.start, range.end)) ?? "");
        expect(found).toEqual(
          Object.hasOwn(object, name) ? JSON.parse(JSON.stringify(object[name])) : undefined,
        );
      }
    }),
  );
});

test("bytes that are no JSON end the search without an error", () => {
  const piece = fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", "usage", "\\x", " ", "1");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.array(piece).map((pieces) => encodeUtf8(pieces.join(""))),
      ),
      (bytes) => {
        const range = locateValue(bytes, "usage");
        expect(range === null || range.start <= range.end).toBe(true);
        expect(memberRanges(bytes)).toBeInstanceOf(Array);
      },
    ),
    { numRuns: 2000 },
  );
});
