import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8Lenient } from "../bytes/decode-utf8.ts";
import { ENGINES } from "../engines/catalog.ts";
import { parsePrometheusText } from "./parse-text.ts";

const nearlyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "vllm:num_requests_running",
        "{",
        "}",
        '"',
        "=",
        ",",
        "\\",
        " ",
        "\n",
        "\r",
        "#",
        "1",
        "NaN",
        "-",
      ),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((pieces) => pieces.join(""));

test("random bytes and near misses never make the parser or an engine's reader throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array().map(decodeUtf8Lenient), nearlyText), (text) => {
      expect(parsePrometheusText(text)).toHaveProperty("ok");
      for (const engine of Object.values(ENGINES)) {
        expect(engine.metrics.read(text)).toHaveProperty("ok");
      }
    }),
    { numRuns: 500 },
  );
});

const escaped = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/);
const sample = fc.record({
  name,
  labels: fc.dictionary(
    name,
    fc.string({ unit: "grapheme" }).map((s) => s.replaceAll("\r", "")),
  ),
  // JavaScript writes -0 as 0.
  value: fc.double().map((value) => value + 0),
});

test("what a client library writes is read back exactly", () => {
  fc.assert(
    fc.property(fc.uniqueArray(sample, { selector: (s) => s.name }), (samples) => {
      const text = samples
        .map(({ name, labels, value }) => {
          const pairs = Object.entries(labels).map(([key, label]) => `${key}="${escaped(label)}"`);
          return `${name}{${pairs.join(",")}} ${String(value).replace("Infinity", "Inf")}\n`;
        })
        .join("");
      const page = parsePrometheusText(text);
      expect(page.ok ? page.problems : null).toEqual([]);
      expect(page.ok ? page.samples.map((s) => [s.name, new Map(s.labels), s.value]) : []).toEqual(
        samples.map((s) => [s.name, new Map(Object.entries(s.labels)), s.value]),
      );
    }),
  );
});
