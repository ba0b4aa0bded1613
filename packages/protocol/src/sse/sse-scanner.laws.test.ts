import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { SseScanner } from "./sse-scanner.ts";

function scan(chunks: Iterable<Uint8Array>) {
  const events: string[] = [];
  const scanner = new SseScanner((bytes, start, end, type) => {
    events.push(`${type}|${decodeUtf8Lenient(bytes.subarray(start, end))}`);
  });
  for (const chunk of chunks) {
    scanner.push(chunk);
  }
  scanner.end();
  return events;
}

function cut(bytes: Uint8Array, at: readonly number[]) {
  const borders = [0, ...at.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, i) => bytes.slice(borders[i], end));
}

const line = fc.oneof(
  fc.constantFrom("", "", "data", "data:", ":", "event: e", "id: 1", "\ufeff", "data: [DONE]"),
  fc.string({ unit: "binary" }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, "")}`),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")))
  .map((lines) => encodeUtf8(lines.flat().join("")));

test("cutting a stream anywhere, even into single bytes, gives the same events", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(10_000)), (bytes, at) => {
      const whole = scan([bytes]);
      expect(scan(cut(bytes, at))).toEqual(whole);
      expect(scan(Array.from(bytes, (byte) => new Uint8Array([byte])))).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});

test("arbitrary bytes never throw", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
      expect(scan(chunks)).toBeInstanceOf(Array);
    }),
  );
});
