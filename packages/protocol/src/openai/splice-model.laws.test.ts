import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { spliceModel } from "./splice-model.ts";

test("only the top-level model changes, every other byte stays", () => {
  const body =
    '{ "a" : {"model":"inner"}, "model" \n: "old" , "big": 5483920117743210011, "s":"\\"model\\":1" }';
  expect(decodeUtf8(spliceModel(encodeUtf8(body), 'new "x"'))).toBe(
    '{ "a" : {"model":"inner"}, "model" \n: "new \\"x\\"" , "big": 5483920117743210011, "s":"\\"model\\":1" }',
  );
});

test("a model key written with escapes is found, and of duplicates the last, as JSON.parse does", () => {
  const body = '{"model":"first","mod\\u0065l":"last"}';
  expect(decodeUtf8(spliceModel(encodeUtf8(body), "new"))).toBe('{"model":"first","mod\\u0065l":"new"}');
});

test("a body without a model is left alone", () => {
  const body = encodeUtf8('{"x":{"model":1}}');
  expect(spliceModel(body, "new")).toBe(body);
});

test("the spliced body parses to the same object with the new model, whatever surrounds it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.jsonValue())),
      fc.jsonValue(),
      fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.jsonValue())),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(undefined, 1, "\t"),
      (before, old, after, model, indent) => {
        const entries = [...before, ["model", old] as const, ...after.filter(([key]) => key !== "model")];
        const body = Object.fromEntries(entries);
        // A record's key order is not the entries' order for digits, which is all the better a test.
        const spliced = decodeUtf8(spliceModel(encodeUtf8(JSON.stringify(body, null, indent)), model));
        expect(JSON.parse(spliced ?? "")).toEqual(JSON.parse(JSON.stringify({ ...body, model })));
      },
    ),
  );
});
