import { expect, test } from "vitest";
import { parsePrometheusText } from "./parse-text.ts";

function read(text: string) {
  const page = parsePrometheusText(text);
  if (!page.ok) {
    throw new Error(page.message);
  }
  return page;
}

const plain = (text: string) =>
  read(text).samples.map(({ name, labels, value, timestampMs }) => [
    name,
    Object.fromEntries(labels),
    value,
    timestampMs,
  ]);

test("names, labels, escapes, blanks, trailing commas and timestamps", () => {
  expect(
    plain(
      String.raw`a 1
b{x="1",y="q\"b\\s\nn",} 2.5 1787000000123
c { x = "a,b=c}d" , y = "" } 1e+01
d{}	3	-1
:odd_name{unicode="模型/ß"} .5`,
    ),
  ).toEqual([
    ["a", {}, 1, null],
    ["b", { x: "1", y: 'q"b\\s\nn' }, 2.5, 1_787_000_000_123],
    ["c", { x: "a,b=c}d", y: "" }, 10, null],
    ["d", {}, 3, -1],
    [":odd_name", { unicode: "模型/ß" }, 0.5, null],
  ]);
});

test("NaN and infinities are values", () => {
  expect(read("a NaN\nb +Inf\nc -Inf\nd -0.0\n").samples.map((sample) => sample.value)).toEqual([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
  ]);
});

test("CRLF, a byte order mark, a missing last line end, comments and blank lines are fine", () => {
  expect(plain("\ufeff# HELP a x\r\n# TYPE a gauge\r\na 1\r\n\r\n# free { comment\nb 2\n# EOF")).toEqual([
    ["a", {}, 1, null],
    ["b", {}, 2, null],
  ]);
  expect(plain("a 1\nb 2")).toHaveLength(2);
});

test("OpenMetrics exemplars are set aside and its timestamps are seconds", () => {
  expect(plain('a_bucket{le="1"} 5 1787000000.5 # {trace_id="x # y"} 0.4 1787000000.1\n')).toEqual([
    ["a_bucket", { le: "1" }, 5, 1_787_000_000_500],
  ]);
});

test.each([
  ["unterminated label", 'a{x="1} 5', "invalid_labels"],
  ["missing comma", 'a{x="1" y="2"} 5', "invalid_labels"],
  ["unquoted label", "a{x=1} 5", "invalid_labels"],
  ["label twice", 'a{x="1",x="2"} 5', "invalid_labels"],
  ["labels never closed", 'a{x="1"', "invalid_labels"],
  ["no value", 'a{x="1"}', "invalid_value"],
  ["word for a value", "a five", "invalid_value"],
  ["hexadecimal", "a 0x10", "invalid_value"],
  ["too many fields", "a 1 2 3", "invalid_value"],
  ["bad timestamp", "a 1 soon", "invalid_timestamp"],
  ["name starting with a digit", "9a 1", "invalid_name"],
  ["garbage", "\u0000\u0001", "invalid_name"],
])("%s is reported with its line and gives no sample", (_, line, code) => {
  expect(read(`good 1\n${line}\nalso_good 2\n`)).toMatchObject({
    samples: [{ name: "good" }, { name: "also_good" }],
    problems: [{ line: 2, code }],
  });
});

test("a series given twice with different values is believed in neither; given twice alike it stands", () => {
  const page = read('a{x="1",y="2"} 1\na{y="2",x="1"} 2\nb 3\nb 3\n');
  expect(page.samples.map((sample) => sample.name)).toEqual(["b", "b"]);
  expect(page.problems).toEqual([{ line: null, code: "conflicting_series" }]);
});

test("other documents are refused", () => {
  for (const body of ["<html></html>", ' \n {"a":1}', "[]"]) {
    expect(parsePrometheusText(body)).toMatchObject({ ok: false, code: "not_prometheus" });
  }
});

test("only wanted names are read, and an empty page has no samples", () => {
  expect(parsePrometheusText("a 1\nb 2\nab 3\n", new Set(["a"]))).toMatchObject({ samples: [{ name: "a" }] });
  expect(read("")).toEqual({ ok: true, samples: [], problems: [] });
});
