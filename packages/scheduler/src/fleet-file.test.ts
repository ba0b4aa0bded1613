import { expect, test } from "vitest";
import { parseFleetFile } from "./fleet-file.ts";

const ENTRY = { id: "r1", url: "http://10.0.0.1:8000/", model: "qwen", engine: "vllm" };

test("a minimal entry gets role, labels and segment, and its URL loses the trailing slash", () => {
  const result = parseFleetFile({ replicas: [ENTRY] });
  expect(result).toEqual({
    ok: true,
    replicas: [
      {
        id: "r1",
        url: "http://10.0.0.1:8000",
        model: "qwen",
        engine: "vllm",
        role: "unified",
        labels: {},
        segment: "qwen/vllm/unknown/none/unified",
      },
    ],
  });
});

test("numbers and booleans in labels become text, and version and quantization tell segments apart", () => {
  const result = parseFleetFile({
    replicas: [{ ...ENTRY, labels: { version: 0.9, quantization: "fp8", spot: true } }],
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.replicas[0]?.labels).toEqual({ version: "0.9", quantization: "fp8", spot: "true" });
  expect(result.replicas[0]?.segment).toBe("qwen/vllm/0.9/fp8/unified");
});

test.each([
  ["an unknown engine", { ...ENTRY, engine: "vlm" }, ["replicas", 0, "engine"]],
  ["a URL without a scheme", { ...ENTRY, url: "10.0.0.1:8000" }, ["replicas", 0, "url"]],
  ["a URL with credentials", { ...ENTRY, url: "http://u:p@h/" }, ["replicas", 0, "url"]],
  ["a port beyond the last", { ...ENTRY, url: "http://127.0.0.1:99999" }, ["replicas", 0, "url"]],
  ["a host that is no address", { ...ENTRY, url: "http://[::zz]:1" }, ["replicas", 0, "url"]],
  ["a NUL in the model", { ...ENTRY, model: "q\u0000" }, ["replicas", 0, "model"]],
  ["a NUL in a label", { ...ENTRY, labels: { gpu: "h\u0000" } }, ["replicas", 0, "labels", "gpu"]],
  ["half a character in a label", { ...ENTRY, labels: { gpu: "\ud800" } }, ["replicas", 0, "labels", "gpu"]],
  ["a line end in a label's name", { ...ENTRY, labels: { "g\n": "h" } }, ["replicas", 0, "labels", "g\n"]],
  ["a NUL in the id", { ...ENTRY, id: "r\u0000" }, ["replicas", 0, "id"]],
  ["an id with a blank", { ...ENTRY, id: "r 1" }, ["replicas", 0, "id"]],
  ["a misspelt field", { ...ENTRY, lables: {} }, ["replicas", 0, "lables"]],
])("%s is refused with its path", (_, entry, path) => {
  const result = parseFleetFile({ replicas: [entry] });
  expect(result.ok ? [] : result.problems.map((problem) => problem.path)).toContainEqual(path);
});

test("an id used twice is refused at its second use", () => {
  const result = parseFleetFile({ replicas: [ENTRY, { ...ENTRY, url: "http://h:1" }] });
  expect(result.ok ? [] : result.problems).toEqual([
    expect.objectContaining({ path: ["replicas", 1, "id"], code: "duplicate_replica" }),
  ]);
});

test.each([null, undefined, {}, { replicas: [] }, { replicas: {} }, "replicas"])(
  "%j is refused without an exception",
  (data) => {
    expect(parseFleetFile(data).ok).toBe(false);
  },
);

test("a label's name that is refused is told why", () => {
  const result = parseFleetFile({ replicas: [{ ...ENTRY, labels: { "g\n": "h" } }] });
  expect(result.ok ? [] : result.problems.map((problem) => problem.message)).toEqual([
    expect.stringContaining("control character"),
  ]);
});
