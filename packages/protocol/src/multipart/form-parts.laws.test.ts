import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { formBoundary, readFormParts } from "./form-parts.ts";

function read(text: string, boundary = "B") {
  const bytes = encodeUtf8(text);
  const form = readFormParts(bytes, boundary);
  return form.ok
    ? form.parts.map((part) => [
        part.name,
        part.isFile,
        decodeUtf8Lenient(bytes.subarray(part.start, part.end)),
      ])
    : form.message;
}

const part = (name: string, content: string, extra = "") =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n${content}\r\n`;

test("parts are found with their names, files among them, in any order and header case", () => {
  expect(
    read(
      `preamble\r\n${part("file", "RIFF\r\n--Bx\r\n--\r\n", '; filename="a.wav"\r\nContent-Type: audio/wav')}--B \r\ncontent-disposition: form-data; NAME=model\r\nX: y\r\n\r\nwhisper\r\n--B--\r\nepilogue`,
    ),
  ).toEqual([
    ["file", true, "RIFF\r\n--Bx\r\n--\r\n"],
    ["model", false, "whisper"],
  ]);
});

test("empty content, escaped names and nameless parts", () => {
  expect(read(`${part('a\\"b', "")}--B\r\nX: y\r\n\r\nnameless\r\n--B--`)).toEqual([['a"b', false, ""]]);
  expect(read("--B--")).toEqual([]);
});

test.each([
  ["no boundary", "hello"],
  ["no closing boundary", part("a", "1")],
  ["cut in the headers", "--B\r\nContent-Disposition: form-data"],
  ["cut after the headers", '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n'],
  ["too many parts", `${part("a", "").repeat(200)}--B--`],
])("a form with %s is refused", (_, text) => {
  expect(read(text)).toBeTypeOf("string");
});

test("the boundary is read quoted or bare, and only from form data", () => {
  expect(formBoundary('Multipart/Form-Data; charset=x; Boundary="a b"')).toBe("a b");
  expect(formBoundary("multipart/form-data;boundary=X-1")).toBe("X-1");
  expect(formBoundary("multipart/mixed; boundary=x")).toBeNull();
  expect(formBoundary("application/json")).toBeNull();
  expect(formBoundary("multipart/form-data")).toBeNull();
});

test("what a form writer writes is read back, whatever the contents", () => {
  const content = fc.string({ unit: "binary" }).filter((text) => !text.includes("--B"));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), content)), (fields) => {
      const text = `${fields.map(([name, value]) => part(name, value)).join("")}--B--\r\n`;
      expect(read(text)).toEqual(
        fields.map(([name, value]) => [name, false, decodeUtf8Lenient(encodeUtf8(value))]),
      );
    }),
  );
});

test("arbitrary bytes never throw", () => {
  const piece = fc.constantFrom(
    "--B",
    "--B--",
    "\r\n",
    "\r",
    "\n",
    "Content-Disposition: form-data; name=a",
    ";",
    '"',
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(readFormParts(encodeUtf8(pieces.join("")), "B")).toHaveProperty("ok");
    }),
    { numRuns: 1000 },
  );
});
