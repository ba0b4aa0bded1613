import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { editObject } from "./edit-object.ts";

const edit = (body: string, set: Record<string, string>, remove: string[] = []) =>
  decodeUtf8(editObject(encodeUtf8(body), { set, remove })) ?? "";

test("untouched members keep their bytes, set ones come last, removed ones go", () => {
  expect(edit('{ "a" : 5483920117743210011 , "b":[1, 2],"c":"x" }', { b: "true", d: "null" }, ["c"])).toBe(
    '{"a" : 5483920117743210011,"b":true,"d":null}',
  );
  expect(edit("{}", {})).toBe("{}");
  expect(edit('{"a":1}', {}, ["a"])).toBe("{}");
  expect(edit("{ }", { a: "1" })).toBe('{"a":1}');
});

test("every duplicate of a named key goes", () => {
  expect(edit('{"a":1,"b":2,"\\u0061":3}', { a: "4" })).toBe('{"b":2,"a":4}');
});

test("an edited object parses to what editing the parsed object gives", () => {
  const key = fc.oneof(fc.constantFrom("a", "b", "model"), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.jsonValue()),
      fc.dictionary(key, fc.jsonValue()),
      fc.array(key),
      fc.constantFrom(undefined, 2),
      (body, set, remove, indent) => {
        const text = JSON.stringify(body, null, indent);
        const edits = Object.fromEntries(Object.entries(set).map(([k, v]) => [k, JSON.stringify(v)]));
        const expected = Object.entries({ ...JSON.parse(text), ...JSON.parse(JSON.stringify(set)) }).filter(
          ([k]) => Object.hasOwn(set, k) || !remove.includes(k),
        );
        expect(JSON.parse(edit(text, edits, remove))).toEqual(Object.fromEntries(expected));
      },
    ),
  );
});
