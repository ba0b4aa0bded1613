import { expect, test } from "vitest";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { JsonSpan } from "./json-span.ts";
import { JsonText } from "./json-text.ts";
import { scanJson } from "./scan-json.ts";

test("a long string stays where it lies in the body", () => {
  const prompt = "word ".repeat(50);
  const bytes = encodeUtf8(`{"text":"${prompt}","role":"user"}`);
  expect(scanJson(bytes)).toEqual({ text: new JsonText(bytes, 9, 9 + prompt.length), role: "user" });
});

test("named arrays and objects stay as written, other values under the name do not", () => {
  const bytes = encodeUtf8('{"tools": [ {"a":[1]} ] ,"x":{"tools":{ }},"y":{"tools":7}}');
  expect(scanJson(bytes, new Set(["tools"]))).toEqual({
    tools: new JsonSpan(bytes, { start: 10, end: 23 }, { isArray: true, isEmpty: false }),
    x: { tools: new JsonSpan(bytes, { start: 38, end: 41 }, { isArray: false, isEmpty: true }) },
    y: { tools: 7 },
  });
});
