import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { JsonSpan } from "./json-span.ts";
import { JsonText } from "./json-text.ts";
import { JsonSyntaxError, MOST_LEVELS, scanJson } from "./scan-json.ts";

/** What a scan gave, with everything it left as written read by JSON.parse. */
function whole(value: unknown): unknown {
  if (value instanceof JsonText) {
    return value.decode();
  }
  if (value instanceof JsonSpan) {
    return JSON.parse(new TextDecoder().decode(value.bytes.subarray(value.start, value.end)));
  }
  if (Array.isArray(value)) {
    return value.map(whole);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each)]));
  }
  return value;
}

function scanned(text: string, spans?: ReadonlySet<string>): { value: unknown } | "refused" {
  try {
    return { value: whole(scanJson(encodeUtf8(text), spans)) };
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSyntaxError);
    return "refused";
  }
}

function parsed(text: string): { value: unknown } | "refused" {
  try {
    // Copied, so that a `__proto__` key is rebuilt in the same way on both sides.
    return { value: whole(JSON.parse(text)) };
  } catch {
    return "refused";
  }
}

const blank = fc.constantFrom("", " ", "\n", "\t \r\n");
const written = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((text) => JSON.stringify(text)),
    },
    {
      weight: 2,
      arbitrary: fc.string({ maxLength: 400, minLength: 30 }).map((text) => JSON.stringify(text)),
    },
    {
      weight: 2,
      arbitrary: fc.array(fc.constantFrom("\\u00e9", "\\ud83d", "\\\\", '\\"', "\\n", "é", "😀", "x"), {
        maxLength: 60,
      }),
    },
  )
  .map((text) => (typeof text === "string" ? text : `"${text.join("")}"`));
const key = fc.oneof(
  fc.constantFrom('"model"', '"mod\\u0065l"', '"tools"', '"__proto__"', '"a"', '"1"', '"constructor"'),
  written,
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    "0",
    "-0",
    "-1",
    "12345678901234567890",
    "999999999999999",
    "1e400",
    "1E-400",
    "-0.5e+3",
    "1.0",
  ),
  fc.bigInt().map(String),
);
const { document } = fc.letrec<{ document: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    number,
    written,
    fc.constantFrom("true", "false", "null"),
    fc
      .tuple(fc.array(fc.tuple(blank, tie("value"), blank), { maxLength: 4 }), blank)
      .map(([entries, inside]) => `[${entries.map((entry) => entry.join("")).join(",") || inside}]`),
    fc
      .tuple(fc.array(fc.tuple(blank, key, blank, tie("value"), blank), { maxLength: 4 }), blank)
      .map(
        ([members, inside]) =>
          `{${members.map(([a, name, b, value, c]) => `${a}${name}${b}:${a}${value}${c}`).join(",") || inside}}`,
      ),
  ),
  document: fc.tuple(blank, tie("value"), blank).map((pieces) => pieces.join("")),
}));

test("a scan gives what JSON.parse gives: escapes, duplicate keys, huge numbers, blanks", () => {
  fc.assert(
    fc.property(document, fc.boolean(), (text, hasSpans) => {
      const value = scanned(text, hasSpans ? new Set(["tools", "a"]) : undefined);
      expect(value).not.toBe("refused");
      expect(value).toEqual(parsed(text));
    }),
    { numRuns: 1000 },
  );
});

test("a document cut at any byte is refused as JSON.parse refuses it", () => {
  fc.assert(
    fc.property(document, (text) => {
      for (let end = 0; end < text.length; end++) {
        const cut = text.slice(0, end);
        // Half a surrogate pair would reach the scanner as U+FFFD.
        if (!/[\ud800-\udbff]$/.test(cut)) {
          expect(scanned(cut)).toEqual(parsed(cut));
        }
      }
    }),
    { numRuns: 150 },
  );
});

test("whatever is changed in a document, the scan takes and refuses what JSON.parse does", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    "\\u12",
    ":",
    ",",
    "-",
    "0",
    ".",
    "e",
    "tru",
    " ",
    "\n",
    "x",
  );
  fc.assert(
    fc.property(document, fc.nat(), fc.nat(3), piece, fc.boolean(), (text, at, removed, added, hasSpans) => {
      const place = at % (text.length + 1);
      const changed = `${text.slice(0, place)}${added}${text.slice(place + removed)}`;
      fc.pre(changed.isWellFormed());
      // Only the content of long strings is left to the engine.
      fc.pre(!changed.split('"').some((content) => content.length > 80));
      expect(scanned(changed, hasSpans ? new Set(["tools", "a"]) : undefined)).toEqual(parsed(changed));
    }),
    { numRuns: 5000 },
  );
});

test("a control character is refused in a short string and left to the engine in a long one", () => {
  expect(scanned('{"a":"x\ny"}')).toBe("refused");
  expect(scanned(`{"a":"${"é".repeat(30)}\u0000"}`)).toBe("refused");
  expect(scanned('{"a\n":1}')).toBe("refused");
  expect(scanned(`{"${"k".repeat(1000)}\n":1}`)).toBe("refused");
  expect(scanned(`{"a":"${"x".repeat(1000)}\n"}`)).toEqual({ value: { a: null } });
});

test("nesting is bounded, inside spans as well", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  expect(scanned(nested(MOST_LEVELS))).not.toBe("refused");
  expect(scanned(nested(MOST_LEVELS + 1))).toBe("refused");
  expect(scanned(`{"tools":${nested(1_000_000)}}`, new Set(["tools"]))).toBe("refused");
});

test("a million backslashes or quotes are passed in linear time", () => {
  expect(scanned(`"${"\\\\".repeat(500_000)}"`)).toEqual({ value: "\\".repeat(500_000) });
  expect(scanned(`"${'\\"'.repeat(500_000)}"`)).toEqual({ value: '"'.repeat(500_000) });
});
