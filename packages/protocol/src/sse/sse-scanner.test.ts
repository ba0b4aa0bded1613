import { expect, test } from "vitest";
import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { SseScanner } from "./sse-scanner.ts";

function scan(chunks: readonly Uint8Array[]) {
  const events: { type: string; data: string }[] = [];
  const scanner = new SseScanner((bytes, start, end, type) => {
    events.push({ type, data: decodeUtf8Lenient(bytes.subarray(start, end)) });
  });
  for (const chunk of chunks) {
    scanner.push(chunk);
  }
  scanner.end();
  return { events, oversized: scanner.oversized };
}

const data = (text: string) => scan([encodeUtf8(text)]).events.map((event) => event.data);

test("LF, CR and CRLF end lines, also mixed", () => {
  expect(data('data: {"a":1}\r\n\r\ndata: {"a":2}\r\rdata: {"a":3}\n\n')).toEqual([
    '{"a":1}',
    '{"a":2}',
    '{"a":3}',
  ]);
});

test("a byte order mark, comments, ids, retries and unknown fields are skipped", () => {
  expect(data("\ufeffretry: 3000\n\n: ping\n\n:\n\nid: 7\ndatabase: no\nunknown: x\n\ndata:1\n\n")).toEqual([
    "1",
  ]);
});

test("several data lines join with LF, a bare data line is empty, one space after the colon is dropped", () => {
  expect(data("data: a\ndata:  b\n\ndata\n\ndata:c\n\n")).toEqual(["a\n b", "", "c"]);
});

test("the event type belongs to its event only", () => {
  expect(scan([encodeUtf8("event: x\ndata: 1\n\ndata: 2\n\nevent: lost\n\ndata: 3\n\n")]).events).toEqual([
    { type: "x", data: "1" },
    { type: "", data: "2" },
    { type: "", data: "3" },
  ]);
});

test("an event without its final blank line is handed over at the end", () => {
  expect(data("data: 1\n\ndata: [DONE]")).toEqual(["1", "[DONE]"]);
  expect(data("data: 1\n\ndata: [DONE]\n")).toEqual(["1", "[DONE]"]);
});

test("an event beyond the size limit is dropped and counted, and the stream goes on", () => {
  const piece = encodeUtf8("x".repeat(1024 * 1024));
  const { events, oversized } = scan([
    encodeUtf8("data: "),
    ...Array.from({ length: 6 }, () => piece),
    encodeUtf8("\n\ndata: next\n\n"),
  ]);
  expect(oversized).toBe(1);
  expect(events).toEqual([{ type: "", data: "next" }]);
});
